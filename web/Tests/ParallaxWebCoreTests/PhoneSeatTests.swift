// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxWebCore

@Suite("The place for one phone")
struct PhoneSeatTests {
  /// #expect takes no calls that change a value.
  private final class Seat {
    private var seat = PhoneSeat(patience: 60)
    var phone: String? { seat.phone }
    func take(_ phone: String, count: Int, at now: Double) -> PhoneSeat.Answer {
      seat.take(phone, count: count, at: now)
    }
    func leave(_ phone: String) -> Bool { seat.leave(phone) }
    func expire(at now: Double) -> Bool { seat.expire(at: now) }
  }

  private let seat = Seat()

  @Test func onePhoneAtATime() {
    #expect(seat.take("a", count: 1, at: 100) == .began)
    #expect(seat.take("a", count: 1, at: 100.1) == .goesOn)
    #expect(seat.take("b", count: 1, at: 100.2) == .taken)
    #expect(seat.phone == "a")
    // The other one cannot end it.
    #expect(!seat.leave("b"))
    #expect(seat.leave("a"))
    #expect(seat.take("b", count: 1, at: 100.3) == .began)
    #expect(!seat.leave("a"))
  }

  /// A reload, or a screen that was locked for 30 s.
  @Test func aSilentPhoneGoesOn() {
    #expect(seat.take("a", count: 1, at: 100) == .began)
    #expect(!seat.expire(at: 130))
    #expect(seat.take("b", count: 1, at: 130) == .taken)
    #expect(seat.take("a", count: 1, at: 130) == .goesOn)
    // The attempt of the other one has not kept it, nor taken its time.
    #expect(!seat.expire(at: 189.9))
    #expect(seat.expire(at: 190))
    #expect(!seat.expire(at: 191))
    #expect(seat.take("a", count: 1, at: 192) == .began)
  }

  @Test func anotherPhoneFollowsASilentOne() {
    #expect(seat.take("a", count: 1, at: 100) == .began)
    #expect(seat.take("b", count: 1, at: 160) == .began)
    #expect(seat.take("a", count: 1, at: 160) == .taken)
  }

  @Test func samplesPerSecond() {
    #expect(seat.take("a", count: 2_000, at: 100) == .began)
    #expect(seat.take("a", count: 2_000, at: 100) == .goesOn)
    #expect(seat.take("a", count: 1, at: 100) == .tooFast)
    #expect(seat.take("a", count: 1_000, at: 100.5) == .goesOn)
    #expect(seat.take("a", count: 1_000, at: 100.5) == .tooFast)
    // What a phone does not use does not add up.
    #expect(seat.take("a", count: 2_000, at: 150) == .goesOn)
    #expect(seat.take("a", count: 2_000, at: 150) == .goesOn)
    #expect(seat.take("a", count: 2_000, at: 150) == .tooFast)
  }

  @Test func requestsPerSecond() {
    let answers = (0..<600).map { _ in seat.take("a", count: 1, at: 100) }
    #expect(answers.count { $0 == .tooFast } == 100)
  }

  @Test func sixtyHertzPassForAnHour() {
    #expect(seat.take("a", count: 1, at: 0) == .began)
    for frame in 1..<(60 * 3_600) {
      #expect(seat.take("a", count: 1, at: Double(frame) / 60) == .goesOn)
    }
  }
}

@Suite("Access to the phone's server")
struct PhoneAccessTests {
  private static let token = "0123456789abcdef0123456789abcdef"
  private static let push = "fedcba9876543210fedcba9876543210"
  private static let host = "192.0.2.7:8443"
  private let access = PhoneAccess(
    port: 8443, names: ["192.0.2.7", "board.local"], token: token, pushToken: push)

  private func decide(
    _ method: String, _ path: String, encrypted: Bool = true, host: [String] = [host],
    origin: [String] = ["https://\(host)"], authorization: [String] = []
  ) -> String {
    switch access.decide(
      .init(
        method: method, path: path, isEncrypted: encrypted, host: host, origin: origin,
        authorization: authorization))
    {
    case .file: "file"
    case .phone: "phone"
    case .push: "push"
    case .redirect: "redirect"
    case .refused(let status, _): "\(status)"
    }
  }

  private let bearer = ["Bearer \(token)"]

  @Test func thePageIsForAll() {
    #expect(decide("GET", "/", origin: []) == "file")
    #expect(decide("HEAD", "/main.js", host: ["Board.local:8443"], origin: []) == "file")
    #expect(decide("GET", "/", encrypted: false, origin: []) == "redirect")
    #expect(decide("PUT", "/") == "405")
  }

  @Test(arguments: [
    [], ["attacker.example:8443"], ["192.0.2.7"], ["127.0.0.1:8443"],
    ["192.0.2.7:8443", "board.local:8443"],
  ])
  func foreignHosts(host: [String]) {
    #expect(decide("GET", "/", host: host) == "421")
    #expect(decide("POST", "/samples", host: host, authorization: bearer) == "421")
    #expect(decide("POST", "/push/\(Self.push)", host: host, origin: []) == "421")
  }

  @Test func samplesNeedTheToken() {
    #expect(decide("POST", "/samples", authorization: bearer) == "phone")
    for wrong in [
      [], ["Bearer \(Self.push)"], [Self.token], ["Bearer "], bearer + bearer,
      ["bearer \(Self.token)"], ["Bearer \(Self.token)0"],
    ] {
      #expect(decide("POST", "/samples", authorization: wrong) == "401")
    }
    // The code's token is never taken without encryption.
    #expect(decide("POST", "/samples", encrypted: false, authorization: bearer) == "403")
  }

  @Test(arguments: [
    [], ["http://192.0.2.7:8443"], ["https://attacker.example"], ["null"],
    ["https://192.0.2.7:8443", "https://192.0.2.7:8443"], ["https://192.0.2.7"],
  ])
  func foreignOrigins(origin: [String]) {
    #expect(decide("POST", "/samples", origin: origin, authorization: bearer) == "403")
  }

  @Test func pushesHaveATokenOfTheirOwn() {
    #expect(decide("POST", "/push/\(Self.push)", origin: []) == "push")
    #expect(decide("POST", "/push/\(Self.push)", encrypted: false, origin: []) == "push")
    #expect(decide("POST", "/push/\(Self.token)", origin: [], authorization: bearer) == "401")
    #expect(decide("POST", "/push/", origin: []) == "401")
    #expect(decide("POST", "/push/\(Self.push)/", origin: []) == "401")
    // A website that has learned it.
    #expect(decide("POST", "/push/\(Self.push)") == "403")
  }

  @Test func thePortOfHTTPSMayBeMissing() {
    let access = PhoneAccess(port: 443, names: ["192.0.2.7"], token: "", pushToken: "")
    #expect(access.decide(.init(method: "GET", path: "/", host: ["192.0.2.7"])) == .file)
    #expect(access.decide(.init(method: "GET", path: "/", host: ["192.0.2.7:443"])) == .file)
  }
}

@Suite("What a phone is called")
struct PhoneNameTests {
  @Test(arguments: [
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile Safari/604.1",
      "iPhone"
    ),
    ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/100 Mobile", "Pixel 8"),
    ("Mozilla/5.0 (Linux; Android 9; SM-G960F Build/PPR1) Chrome/80 Mobile", "SM-G960F"),
    ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/126.0 Mobile", "Android phone"),
    ("Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0", "Android phone"),
    ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "phone"), ("", "phone"),
    (")(", "phone"), ("(Linux; Android 14;  )", "Android phone"),
  ])
  func models(agent: String, name: String) {
    #expect(PhoneName.of(userAgent: agent) == name)
  }

  @Test func namesArePrintableAndShort() {
    #expect(PhoneName.printable("a\u{7}b\n") == "ab")
    // Right-to-left override, zero width joiner, line separator: FEED does not take them.
    #expect(PhoneName.printable("a\u{202E}b\u{200D}c\u{2028}") == "abc")
    #expect(PhoneName.of(userAgent: "(Linux; Android 14; Pix\u{202E}el 8)") == "Pixel 8")
    #expect(PhoneName.printable("\u{200B}") == nil)
    #expect(PhoneName.printable("") == nil)
    #expect(PhoneName.printable(" ") == nil)
    #expect(PhoneName.printable(String(repeating: "é", count: 40))?.utf8.count == 64)
  }
}

@Suite("The certificate that is kept")
struct PhoneCertificateRuleTests {
  private static let day = 86_400

  @Test(arguments: [
    (["192.0.2.7", "board"], 0, 397, 1, true),
    (["board", "192.0.2.7", "192.0.2.9"], 0, 397, 1, true),
    // Another address.
    (["192.0.2.8", "board"], 0, 397, 1, false),
    // Near its end, and not yet begun.
    (["192.0.2.7", "board"], 0, 397, 367, true),
    (["192.0.2.7", "board"], 0, 397, 368, false),
    (["192.0.2.7", "board"], 2, 397, 1, false),
  ])
  func use(names: [String], from: Int, to: Int, now: Int, isUsable: Bool) {
    #expect(
      PhoneCertificateRule.isUsable(
        names: names, needed: ["192.0.2.7", "board"], notBefore: from * Self.day,
        notAfter: to * Self.day, now: now * Self.day) == isUsable)
  }
}

@Suite("A QR code as text")
struct QRDrawingTests {
  @Test func modulesAreHalvesOfCharacters() {
    let lines = QRDrawing.text([[true, false, true], [true, true, false]], isColored: false)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5)
    #expect(lines[2] == "    █▄▀    ")
    #expect(lines.enumerated().allSatisfy { $0 == 2 || $1.allSatisfy { $0 == " " } })
    #expect(QRDrawing.text([[true]], isColored: false).contains("    ▀    "))
  }

  @Test func colorsAreReset() {
    let text = QRDrawing.text([[true]], isColored: true)
    #expect(text.split(separator: "\n").allSatisfy { $0.hasSuffix("\u{1B}[0m") })
  }
}
