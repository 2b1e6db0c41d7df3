import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@Suite struct PeerTests {
  @Test func `The other end of a pair is this process`() throws {
    let pair = try UnixStream.pair()
    let peer = try pair.first.peer()
    #expect(peer.processID == getpid())
    #expect(peer.userID == geteuid())
    #expect(peer.groupID == getegid())
    #expect(peer.isMember(ofGroup: getegid()) == true)
    #expect(peer.userID == Accounts.currentUserID)
  }

  @Test func `What is no socket has no peer`() throws {
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
  func `Membership by the first or another group, or unknown`(
    groups: [UInt32]?, asked: UInt32, expected: Bool?
  ) {
    let peer = PeerCredentials(
      processID: 1, userID: 2, groupID: 5, supplementaryGroups: groups)
    #expect(peer.isMember(ofGroup: asked) == expected)
  }

  @Test(.needsRoot) func `Another user is seen as who they are, with all their groups`()
    async throws
  {
    // Made and removed here: the other process ends without looking back.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o666)
      // More than the first guess of 32.
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
      // Who they became later does not matter.
      guard seteuid(0) == 0, try PeerCredentials(of: descriptor.raw) == peer else { exit(6) }
      client.close()
      exit(0)
    }
  }

  @Test(.needsRoot) func `A socket's mode keeps others out`() async throws {
    // Made and removed here: the other process ends without looking back.
    let own = try TemporaryFolder()
    own.openToAll()
    await #expect(processExitsWith: .exitCode(0)) { [folder = own.path as String] in
      // _exit: at exit() a leak checker would look in vain at one who has become another user.
      let listener = try UnixListener(path: "\(folder)/p.sock", mode: 0o600)
      guard seteuid(54321) == 0 else { _exit(1) }
      do throws(SystemError) {
        _ = try UnixStream.connect(to: "\(folder)/p.sock")
        _exit(2)
      } catch {
        guard error.number == EACCES, error.isAboutPermission else { _exit(3) }
      }
      // And one who may not connect does not take the path for dead.
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
  @Test func `Root has a number and a group`() throws {
    #expect(try Accounts.userID(named: "root") == 0)
    #expect(try Accounts.groupID(named: "root") == 0)
    #expect(try Accounts.isMember(userID: 0, ofGroup: 0))
  }

  @Test(arguments: ["no-such-name-here", "", "a:b", String(repeating: "x", count: 5000)])
  func `Unknown names are nobody`(name: String) throws {
    #expect(try Accounts.userID(named: name) == nil)
    #expect(try Accounts.groupID(named: name) == nil)
  }

  @Test func `An unknown number is a member of nothing`() throws {
    #expect(try !Accounts.isMember(userID: 3_999_999_999, ofGroup: 0))
  }

  @Test func `Members listed in the file of groups are members`() throws {
    // Whoever the machine lists: name:password:number:members
    let listed =
      try text(ofFile: "/etc/group").split(separator: "\n").compactMap { line in
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 4, let group = UInt32(fields[2]) else { return nil }
        return fields[3].split(separator: ",").map { (group: group, member: String($0)) }
      } as [[(group: UInt32, member: String)]]
    for (group, member) in listed.joined() {
      guard let user = try Accounts.userID(named: member) else { continue }
      #expect(try Accounts.isMember(userID: user, ofGroup: group))
    }
    #expect(try !Accounts.isMember(userID: 0, ofGroup: 3_999_999_998))
  }
}

@Suite struct SessionTests {
  @Test func `A number that nobody has sits nowhere`() throws {
    #expect(try LogindSessions().presence(ofUser: 3_999_999_999) == .none)
  }

  @Test func `The fake tells what it was told, and its watches of changes`() throws {
    let loop = try EventLoop()
    let sessions = FakeSessions([1000: .active])
    var changes = 0
    var watch: (any SessionWatch)? = try sessions.watch(on: loop) { changes += 1 }
    #expect(try sessions.presence(ofUser: 1000) == .active)
    #expect(try sessions.presence(ofUser: 1001) == .none)
    sessions.set(.inactive, ofUser: 1000)
    #expect(try sessions.presence(ofUser: 1000) == .inactive)
    #expect(changes == 1)
    #expect(watch != nil && sessions.watchCount == 1)
    watch = nil
    sessions.set(.active, ofUser: 1000)
    #expect(changes == 1)
    #expect(sessions.watchCount == 0)
  }

  @Test func `Watching logind works, or says that there is none`() throws {
    let loop = try EventLoop()
    do throws(SystemError) {
      let watch = try LogindSessions().watch(on: loop) {}
      try loop.drain()
      _ = watch
    } catch {
      #expect(error.number == ENOENT)
    }
  }
}
