// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore
import Testing

@Suite("Document server")
struct ServeTests {
  /// A folder with documents and with files that are not served.
  private final class Folder {
    let root: String
    let path: String
    let server: DocumentServer
    static let text = Array("{\"parallax\":1}".utf8)

    init() throws {
      root = try temporaryFolder()
      path = root + "/documents"
      mkdir(path, 0o755)
      mkdir(path + "/below", 0o755)
      for (name, text) in [
        ("documents/nudge.json", Self.text), ("documents/below/deep.json", Self.text),
        ("documents/notes.txt", Self.text), ("outside.json", Array("{\"secret\":1}".utf8)),
        ("documents/.hidden.json", Self.text), ("documents/empty.json", []),
        ("documents/largest.json", [UInt8](repeating: 0x20, count: 1 << 20)),
        ("documents/larger.json", [UInt8](repeating: 0x20, count: 1 << 20 | 1)),
      ] {
        try Self.write(text, to: root + "/" + name)
      }
      mkdir(path + "/folder.json", 0o755)
      mkfifo(path + "/pipe.json", 0o644)
      symlink("nudge.json", path + "/same.json")
      symlink("below/deep.json", path + "/inner.json")
      symlink("../outside.json", path + "/outer.json")
      symlink(root + "/outside.json", path + "/absolute.json")
      symlink("nothing", path + "/nothing.json")
      symlink("loop.json", path + "/loop.json")
      server = DocumentServer(try DocumentFolder(path))
    }

    deinit { removeTree(root) }

    static func write(_ bytes: [UInt8], to path: String) throws {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      try #require(descriptor >= 0)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        try #require(count > 0)
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }

    func get(_ target: String, method: String = "GET", tag: String? = nil) -> DocumentServer.Reply {
      server.reply(method: method, target: target, ifNoneMatch: tag)
    }
  }

  @Test(arguments: [
    ("/nudge.json", 200), ("/nudge.json?v=1", 200), ("/same.json", 200), ("/inner.json", 200),
    ("/.hidden.json", 200), ("/empty.json", 200), ("/largest.json", 200), ("/larger.json", 413),
    ("/outer.json", 404), ("/absolute.json", 404), ("/nothing.json", 404), ("/loop.json", 404),
    ("/folder.json", 404), ("/pipe.json", 404), ("/none.json", 404), ("/", 404), ("", 404),
    ("/nudge", 404), ("/notes.txt", 404), ("/below/deep.json", 404), ("/../outside.json", 404),
    ("/..%2foutside.json", 404), ("//etc/passwd", 404), ("/%6eudge.json", 404), ("*", 404),
    ("nudge.json", 404), ("/.json", 404), ("/..json", 404), ("/....json", 404),
    ("/nudge.json/", 404), ("/nudge.json\u{0}.json", 404), ("http://elsewhere/nudge.json", 404),
    ("/" + String(repeating: "x", count: 200) + ".json", 404),
  ])
  func onlyDocumentsAreServed(target: String, status: Int) throws {
    let folder = try Folder()
    let reply = folder.get(target)
    #expect(reply.status == status, "\(String(decoding: reply.body, as: UTF8.self))")
    #expect((reply.contentType == "application/json") == (status == 200))
    #expect((reply.entityTag != nil) == (status == 200))
    #expect(!String(decoding: reply.body, as: UTF8.self).contains("secret"))
    // HEAD gets the same answer without the body.
    let head = folder.get(target, method: "HEAD")
    #expect(head.isHeadOnly && !reply.isHeadOnly)
    #expect((head.status, head.body.count) == (reply.status, reply.body.count))
  }

  /// The reason is in the body, which the provider shows.
  @Test func tooLargeDocumentsHaveAReason() throws {
    #expect(
      String(decoding: try Folder().get("/larger.json").body, as: UTF8.self)
        == "larger.json has 1048577 bytes; the limit is 1048576\n")
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", ""])
  func otherMethodsAreRejected(method: String) throws {
    let reply = try Folder().get("/nudge.json", method: method)
    #expect(reply.status == 405 && reply.allow == "GET, HEAD" && !reply.body.isEmpty)
  }

  @Test func knownVersionIsNotSentAgain() throws {
    let folder = try Folder()
    let tag = try #require(folder.get("/nudge.json").entityTag)
    for known in [tag, "W/" + tag, "\"other\", " + tag, " " + tag + " ,\"x\"", "*"] {
      let reply = folder.get("/nudge.json", tag: known)
      #expect(reply.status == 304 && reply.body.isEmpty && reply.entityTag == tag, "\(known)")
    }
    for other in ["\"other\"", "", tag + "x", "nudge", String(tag.dropLast())] {
      #expect(folder.get("/nudge.json", tag: other).status == 200, "\(other)")
    }
    #expect(folder.get("/none.json", tag: "*").status == 404)
    #expect(folder.get("/nudge.json", method: "HEAD", tag: tag).status == 304)
  }

  @Test func tagDependsOnTheContents() throws {
    let folder = try Folder()
    let first = folder.get("/nudge.json").entityTag
    #expect(first == folder.get("/same.json").entityTag, "the same bytes")
    try Folder.write(Array("{\"parallax\":2}".utf8), to: folder.path + "/nudge.json")
    #expect(folder.get("/nudge.json").entityTag != first)
    try Folder.write(Folder.text, to: folder.path + "/nudge.json")
    #expect(folder.get("/nudge.json").entityTag == first)
    unlink(folder.path + "/nudge.json")
    #expect(folder.get("/nudge.json", tag: first).status == 404)
  }

  @Test func idsOfTheFolder() throws {
    let folder = try Folder()
    #expect(
      try DocumentFolder(folder.path).ids().map(\.text).filter { !$0.hasPrefix("l") } == [
        ".hidden", "absolute", "empty", "folder", "inner", "nothing", "nudge", "outer", "pipe",
        "same",
      ])
  }

  @Test func invalidFolders() throws {
    let folder = try Folder()
    for (path, message, code) in [
      (folder.root + "/none", "No such file", Int32(66)),
      (folder.path + "/nudge.json", "not a folder", 66),
    ] {
      let error = #expect(throws: DocumentFolder.OpenError.self) { try DocumentFolder(path) }
      #expect(error?.exitCode == code && error?.message.contains(message) == true)
    }
    // A link to the folder works.
    symlink(folder.path, folder.root + "/link")
    #expect(try DocumentFolder(folder.root + "/link").path == folder.path)
  }
}

@Suite("Command lines")
struct CommandLineTests {
  private static let grammar = CommandLineReader.Grammar(
    options: ["--port", "--host"], arguments: ["DIR"])

  @Test(arguments: [
    (["DIR"], CommandLineReader.Reading.run(options: [:], arguments: ["DIR"])),
    (
      ["--port", "80", "d", "--host=::1"],
      .run(options: ["--port": "80", "--host": "::1"], arguments: ["d"])
    ),
    (["--", "--port"], .run(options: [:], arguments: ["--port"])),
    (["-"], .run(options: [:], arguments: ["-"])),
    (["--help"], .help), (["d", "-h"], .help), (["--version"], .version), (["-V"], .version),
    ([], .invalid("expected DIR")),
    (["a", "b"], .invalid("unexpected argument 'b'; expected DIR")),
    (["d", "--port"], .invalid("--port needs a value")),
    (["--port", "1", "--port=2", "d"], .invalid("--port is given twice")),
    (
      ["--prot", "1"],
      .invalid("unknown option '--prot'; allowed: --port, --host, --help, --version")
    ),
  ])
  func readings(words: [String], reading: CommandLineReader.Reading) {
    #expect(CommandLineReader.read(words, Self.grammar) == reading)
  }
}
