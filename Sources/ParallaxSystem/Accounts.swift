import Glibc

/// Users and groups of this machine, by the C library (files, and whatever nsswitch.conf names:
/// with a directory service a look-up may wait for a network, so look up at start and on
/// connecting, never per frame).
package enum Accounts {
  /// The user this process acts as.
  package static var currentUserID: UInt32 { geteuid() }

  /// - Returns: nil where there is no such user.
  package static func userID(named name: String) throws(SystemError) -> UInt32? {
    try lookUp("getpwnam_r", passwd()) { entry, buffer, size, result in
      getpwnam_r(name, entry, buffer, size, result)
    } reading: {
      $0.pw_uid
    }
  }

  /// - Returns: nil where there is no such group.
  package static func groupID(named name: String) throws(SystemError) -> UInt32? {
    try lookUp("getgrnam_r", group()) { entry, buffer, size, result in
      getgrnam_r(name, entry, buffer, size, result)
    } reading: {
      $0.gr_gid
    }
  }

  /// Whether the user's account is a member of the group, as its first or another group. What a
  /// process of that user really has may differ (`PeerCredentials.isMember`).
  /// - Returns: false where there is no such user.
  package static func isMember(
    userID: UInt32, ofGroup groupID: UInt32
  ) throws(SystemError) -> Bool {
    let account = try lookUp("getpwuid_r", passwd()) { entry, buffer, size, result in
      getpwuid_r(userID, entry, buffer, size, result)
    } reading: {
      (name: String(cString: $0.pw_name), group: $0.pw_gid)
    }
    guard let account else { return false }
    if account.group == groupID { return true }
    var count: Int32 = 32
    while true {
      let capacity = count
      var isComplete = false
      let groups = [gid_t](unsafeUninitializedCapacity: Int(capacity)) { buffer, filled in
        isComplete =
          getgrouplist(account.name, account.group, buffer.baseAddress, &count) >= 0
        filled = Int(min(count, capacity))
      }
      if isComplete { return groups.contains(groupID) }
      // `count` is now how many there are. Linux allows 65536.
      guard count > capacity, count <= 1 << 17 else {
        throw SystemError(number: ERANGE, call: "getgrouplist")
      }
    }
  }

  /// Calls one of the `get..._r` functions with a buffer that grows as it asks for.
  private static func lookUp<Entry, Value>(
    _ call: String, _ empty: Entry,
    _ body: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    reading read: (Entry) -> Value
  ) throws(SystemError) -> Value? {
    var size = 1024
    while true {
      var entry = empty
      var result: UnsafeMutablePointer<Entry>?
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let number = body(&entry, buffer, size, &result)
      switch number {
      case 0: return result == nil ? nil : read(entry)
      case EINTR: continue
      case ERANGE where size < 1 << 20: size *= 4
      // What getpwnam(3) lists for "not found".
      case ENOENT, ESRCH, EBADF, EPERM: return nil
      default: throw SystemError(number: number, call: call)
      }
    }
  }
}
