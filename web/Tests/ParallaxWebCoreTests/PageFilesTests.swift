// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import ParallaxWebCore

@Suite("The page's files")
struct PageFilesTests {
  /// A folder with these files, given with their paths, until `body` returns.
  private func withFolder<Result>(
    _ files: [String: String], _ body: (String) throws -> Result
  ) throws -> Result {
    var template = Array("/tmp/parallax-page.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var folders: Set<String> = [path]
    for (name, text) in files {
      let parts = "\(path)/\(name)".split(separator: "/").dropLast()
      for count in 1...parts.count {
        let folder = "/" + parts.prefix(count).joined(separator: "/")
        if mkdir(folder, 0o700) == 0 { folders.insert(folder) }
      }
      let file = try #require(fopen("\(path)/\(name)", "we"))
      fputs(text, file)
      fclose(file)
    }
    defer {
      for name in files.keys { unlink("\(path)/\(name)") }
      for folder in folders.sorted(by: >) { rmdir(folder) }
    }
    return try body(path)
  }

  private let files = [
    "page/index.html": "<!doctype html>", "page/page.css": "a", "page/scripts/a.js": "b",
    "page/.hidden.js": "c", "page/note.unknown": "d", "page/a b.js": "e", "secret.txt": "f",
    "client/page.js": "g", "client/README.md": "h", "client/page.d.ts": "i",
    "client/tests/driver.mjs": "j",
  ]

  private func load(_ path: String) throws -> PageFiles {
    try PageFiles(page: "\(path)/page", client: "\(path)/client")
  }

  @Test func theTable() throws {
    try withFolder(files) { path in
      let table = try load(path)
      #expect(table.count == 4)
      #expect(table.file("/")?.type == "text/html; charset=utf-8")
      #expect(table.file("/index.html")?.bytes == Array("<!doctype html>".utf8))
      #expect(table.file("/page.css?v=1")?.type == "text/css; charset=utf-8")
      #expect(table.file("/scripts/a.js")?.type == "text/javascript; charset=utf-8")
      #expect(table.file("/client/page.js")?.tag == EntityTag.of(Array("g".utf8)))
    }
  }

  @Test func nothingElseIsServed() throws {
    try withFolder(files) { path in
      let table = try load(path)
      for target in [
        "", "/../secret.txt", "/..", "/page", "//index.html", "/scripts/../index.html",
        "/%69ndex.html", "/.hidden.js", "/note.unknown", "/a b.js", "/a%20b.js",
        "/client/README.md", "/client/tests/driver.mjs", "/scripts", "/scripts/", "/INDEX.HTML",
        "http://127.0.0.1/", "/index.html/",
      ] {
        #expect(table.file(target) == nil, "\(target)")
      }
    }
  }

  @Test func aFolderWithoutAPage() throws {
    let message = { (error: any Error) in (error as? PageFiles.LoadError)?.message }
    try withFolder(["page/a.js": "", "client/a.js": ""]) { path in
      do {
        _ = try load(path)
        Issue.record("loaded")
      } catch {
        #expect(
          message(error) == "\(path)/page: no index.html; name the page's folder with --files")
      }
    }
    do {
      _ = try load("/nonexistent")
      Issue.record("loaded")
    } catch {
      #expect(message(error) == "/nonexistent/page: No such file or directory")
    }
  }

  @Test func filesAreBounded() throws {
    var many = ["page/index.html": "", "client/a.js": ""]
    for number in 0...PageFiles.maxFiles { many["page/\(number).js"] = "" }
    try withFolder(many) { path in
      _ = #expect(throws: PageFiles.LoadError.self) { try load(path) }
    }
  }

  // MARK: - Places

  @Test(arguments: [
    ("/usr/libexec/parallax", "/usr/libexec/parallax/../../share/parallax/page"),
    ("/home/a/parallax/web/.build/debug", "/home/a/parallax/web/page"),
    ("/home/a/parallax/web/.build/x86_64-unknown-linux-gnu/release", "/home/a/parallax/web/page"),
  ])
  func foundFolders(own: String, page: String) {
    let found = PagePlaces.files(nil, own: own) { $0 == "\(page)/index.html" }
    #expect(found?.page == page)
    #expect(PagePlaces.files(nil, own: own) { _ in false } == nil)
  }

  @Test func aNamedFolder() {
    let own = "/p/web/.build/debug"
    let page = "/p/web/page/index.html"
    let plain = PagePlaces.files("/d", own: own) { $0 == page }
    #expect(plain?.page == "/d" && plain?.client == "/p/clients/javascript")
    let whole = PagePlaces.files("/d", own: own) { $0 == page || $0 == "/d/client" }
    #expect(whole?.page == "/d" && whole?.client == "/d/client")
  }

  @Test func placesOfTheProgram() {
    #expect(
      PagePlaces.programs(own: "/usr/libexec/parallax", path: "/a:/b") == [
        "/usr/libexec/parallax/parallax", "/usr/libexec/parallax/../../bin/parallax",
        "/a/parallax", "/b/parallax",
      ])
    #expect(
      PagePlaces.programs(own: "/p/web/.build/x/release", path: "").dropFirst(2) == [
        "/p/.build/release/parallax", "/p/.build/debug/parallax",
      ])
  }

  // MARK: - Replays

  @Test(arguments: [
    ("/replay", "the recording"), ("/replay?name=", "the recording"),
    ("/replay?name=a.csv", "a.csv"), ("/replay?x=1&name=a%20b+c.csv", "a b c.csv"),
    ("/replay?name=..%2F..%2Fetc%2Fpasswd", "passwd"), ("/replay?name=a%0Ab", "ab"),
    ("/replay?name=%zz%4", "%zz%4"), ("/replay?name=%C3%A9", "é"),
  ])
  func names(target: String, name: String) {
    #expect(ReplayMessage.name(target: target) == name)
  }

  @Test(arguments: [
    ("parallax: standard input:3: bad\n", "a.csv:3: bad"), ("parallax: other\n", "other"),
    ("", "a.csv: not replayed"), ("one\nparallax: standard input: is empty\n", "a.csv: is empty"),
  ])
  func messages(output: String, text: String) {
    #expect(ReplayMessage.text(output, name: "a.csv") == text)
  }

  @Test(arguments: [
    (
      "parallax: standard input:1: no known gyroscope columns; add --columns t=1,x=2,y=3\n",
      "a.csv:1: no known gyroscope columns"
    ),
    (
      "parallax: /home/me/.config/parallax/a.toml:3: unknown key; remove it\n",
      "a.toml:3: unknown key; remove it"
    ),
    ("parallax: --scale: expected a number\n", "scale: expected a number"),
  ])
  func messagesAreInTheTermsOfThePage(output: String, text: String) {
    #expect(ReplayMessage.text(output, name: "a.csv") == text)
  }

  @Test(arguments: [
    ("/replay?name=a", []), ("/replay", []), ("/replay?name=a&output=/etc/x&config=b", []),
    (
      "/replay?name=a&range-x=-5%3A5&smoothing=ema%3A0.1&mode=tilt",
      ["--mode=tilt", "--range-x=-5:5", "--smoothing=ema:0.1"]
    ),
    ("/replay?scale=8%00%0A9", ["--scale=89"]),
  ])
  func settings(target: String, options: [String]) {
    #expect(ReplayMessage.options(target: target) == options)
  }
}
