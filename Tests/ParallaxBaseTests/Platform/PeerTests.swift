// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct PeerCredentialsTests {
  @Test func theOtherEndOfAPairIsThisProcess() throws {
    let pair = try UnixStream.pair()
    let peer = try pair.first.peer()
    #expect(peer.processID == getpid())
    #expect(peer.userID == geteuid())
    #expect(peer.groupID == getegid())
    #expect(peer.isMember(ofGroup: getegid()) == true)
    #expect(peer.userID == Accounts.currentUserID)
  }

  @Test func aPipeHasNoPeer() throws {
    let pipe = try Pipe()
    let error = #expect(throws: SystemError.self) {
      _ = try PeerCredentials(of: pipe.reading.raw)
    }
    #expect(error?.number == ENOTSOCK)
  }

  @Test(
    arguments: [
      (nil, 7, nil), (nil, 5, true), ([], 7, false), ([6, 7], 7, true), ([], 5, true),
    ] as [([UInt32]?, UInt32, Bool?)])
  func membershipByPrimaryOrSupplementaryGroup(
    groups: [UInt32]?, asked: UInt32, expected: Bool?
  ) {
    let peer = PeerCredentials(
      processID: 1, userID: 2, groupID: 5, supplementaryGroups: groups)
    #expect(peer.isMember(ofGroup: asked) == expected)
  }

  @Test(.needsRoot) func anotherUserIsSeenWithAllGroups()
    async throws
  {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o666)
      // More than the first buffer of 32.
      let groups = (70_000..<70_100).map { gid_t($0) }
      guard setgroups(groups.count, groups) == 0, setegid(54320) == 0, seteuid(54321) == 0
      else { exit(1) }
      let client = try UnixStream.connect(to: "\(folder)/p.sock")
      guard case .connection(let descriptor) = listener.accept() else { exit(2) }
      let peer = try PeerCredentials(of: descriptor.raw)
      guard peer.userID == 54321, peer.groupID == 54320, peer.processID == getpid() else { exit(3) }
      guard peer.supplementaryGroups.map({ Set($0) }) == Set(groups) else { exit(4) }
      guard peer.isMember(ofGroup: 70_099) == true, peer.isMember(ofGroup: 0) == false
      else { exit(5) }
      // A later change of identity does not matter.
      guard seteuid(0) == 0, try PeerCredentials(of: descriptor.raw) == peer else { exit(6) }
      client.close()
      exit(0)
    }
  }

  @Test(.needsRoot) func theModeOfTheSocketFileKeepsOtherUsersOut() async throws {
    // Created and removed here: the child process exits without cleaning up.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      // _exit: exit() runs a leak checker, which fails once the process has changed its user.
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
      guard seteuid(54321) == 0 else { _exit(1) }
      do throws(SystemError) {
        _ = try UnixStream.connect(to: "\(folder)/p.sock")
        _exit(2)
      } catch {
        guard error.number == EACCES, error.isAboutPermission else { _exit(3) }
      }
      // A user who may not connect does not treat the socket as stale.
      do throws(ListenError) {
        _ = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
        _exit(4)
      } catch {
        guard error == .belongsToAnother("\(folder)/p.sock"), error.exitCode == 77 else { _exit(5) }
      }
      listener.removeFile()
      _exit(0)
    }
  }
}

@Suite struct AccountTests {
  @Test func rootHasANumberAndAGroup() throws {
    #expect(try Accounts.userID(named: "root") == 0)
    #expect(try Accounts.groupID(named: "root") == 0)
    #expect(try Accounts.isMember(userID: 0, ofGroup: 0))
  }

  @Test(arguments: ["no-such-name-here", "", "a:b", String(repeating: "x", count: 5000)])
  func unknownNamesHaveNoNumber(name: String) throws {
    #expect(try Accounts.userID(named: name) == nil)
    #expect(try Accounts.groupID(named: name) == nil)
  }

  @Test func anUnknownUserIsAMemberOfNoGroup() throws {
    #expect(try !Accounts.isMember(userID: 3_999_999_999, ofGroup: 0))
  }

  /// The accounts of this machine, each with its primary group: at least root is there.
  @Test func everyAccountIsAMemberOfItsPrimaryGroupOnly() throws {
    var checked = 0
    for line in try text(ofFile: "/etc/passwd").split(separator: "\n") {
      // name:password:user:group:...
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 7, let user = UInt32(fields[2]), let group = UInt32(fields[3]) else {
        continue
      }
      #expect(try Accounts.userID(named: String(fields[0])) == user)
      #expect(try Accounts.isMember(userID: user, ofGroup: group))
      #expect(try !Accounts.isMember(userID: user, ofGroup: 3_999_999_998))
      checked += 1
    }
    #expect(checked > 0)
  }

  @Test(.needsRoot) func membersListedInTheGroupFileAreMembers() async throws {
    guard try MountNamespace.isAvailable(for: "members of a group") else { return }
    // This machine's groups and one with members: it may have none of its own.
    let own = try TemporaryFolder()
    let groups = try text(ofFile: "/etc/group") + "parallax-test:x:54322:daemon,nobody\n"
    try own.write(groups, to: "group")
    await #expect(processExitsWith: .exitCode(0)) { [file = own("group") as String] in
      guard MountNamespace.enter(), MountNamespace.bind(file, over: "/etc/group") else { exit(1) }
      guard try Accounts.groupID(named: "parallax-test") == 54322 else { exit(2) }
      for (name, isMember) in [("daemon", true), ("nobody", true), ("root", false)] {
        guard let user = try Accounts.userID(named: name) else { exit(3) }
        guard try Accounts.isMember(userID: user, ofGroup: 54322) == isMember else { exit(4) }
      }
      exit(0)
    }
  }
}
