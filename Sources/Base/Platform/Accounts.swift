// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Users and groups, as the C library finds them.
///
/// nsswitch.conf may name a directory service, and a lookup then waits for the network: look up at
/// start and when a client connects, never per frame.
package enum Accounts {
  /// The effective user of this process.
  package static var currentUserID: UInt32 { geteuid() }

  /// - Returns: nil if there is no such user.
  package static func userID(named name: String) throws(SystemError) -> UInt32? {
    try lookUp("getpwnam_r", passwd()) { entry, buffer, size, result in
      getpwnam_r(name, entry, buffer, size, result)
    } reading: {
      $0.pw_uid
    }
  }

  /// - Returns: nil if there is no such group.
  package static func groupID(named name: String) throws(SystemError) -> UInt32? {
    try lookUp("getgrnam_r", group()) { entry, buffer, size, result in
      getgrnam_r(name, entry, buffer, size, result)
    } reading: {
      $0.gr_gid
    }
  }

  /// Returns whether the group is the account's primary group or a supplementary one; false if there
  /// is no such user.
  ///
  /// A running process may have other groups: see `PeerCredentials.isMember`.
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
      // `count` is now the number of groups. Linux allows 65536.
      guard count > capacity, count <= 1 << 17 else {
        throw SystemError(number: ERANGE, call: "getgrouplist")
      }
    }
  }

  /// Calls one of the `get..._r` functions with a buffer that grows until the entry fits.
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
