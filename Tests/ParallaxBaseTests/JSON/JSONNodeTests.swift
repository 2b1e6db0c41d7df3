// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import Testing

private func node(_ text: String) throws -> JSONNode {
  JSONNode(try JSONValue.parse(text, limits: .controlLine))
}

@Suite struct JSONNodeTests {
  enum Color: String, CaseIterable { case red, green }

  @Test func requestedValuesAreReturned() throws {
    let root = try node(
      #"{"class":"SET","rate":10,"big":2.5,"on":true,"whole":3.0,"color":"red","more":[1,[2]]}"#)
    #expect(try root.required("class").string() == "SET")
    #expect(try root.required("rate").number() == 10)
    #expect(try root.required("big").number() == 2.5)
    #expect(try root.required("on").bool())
    #expect(try root.required("whole").integer() == 3)
    #expect(try root.required("rate").integer(in: 10...10) == 10)
    #expect(try root.required("color").choice(Color.self) == .red)
    #expect(try root.required("more").elements().map(\.path) == ["$.more[0]", "$.more[1]"])
    #expect(try root.members().map(\.key).last == "more")
    #expect(try root.member("none") == nil)
  }

  struct Misreading: Sendable {
    var text: String
    var message: String
    var read: @Sendable (JSONNode) throws -> Void

    init(_ text: String, _ message: String, _ read: @escaping @Sendable (JSONNode) throws -> Void) {
      self.text = text
      self.message = message
      self.read = read
    }
  }

  static let misreadings = [
    Misreading(
      #"{"layers":{"bg":"deep"}}"#, "$.layers.bg: expected a number, got a string"
    ) { _ = try $0.required("layers").required("bg").number() },
    Misreading("[]", "$: expected an object, got an array") { _ = try $0.member("a") },
    Misreading("[]", "$: expected an object, got an array") { _ = try $0.members() },
    Misreading("{}", "$: \"id\" is missing") { _ = try $0.required("id") },
    Misreading("{}", "$: expected an array, got an object") { _ = try $0.elements() },
    Misreading("1", "$: expected a string, got a number") { _ = try $0.string() },
    Misreading("null", "$: expected true or false, got null") { _ = try $0.bool() },
    Misreading("[0,[61]]", "$[1][0]: expected a whole number from 0 to 60") {
      _ = try $0.elements()[1].elements()[0].integer(in: 0...60)
    },
    Misreading("1.5", "$: expected a whole number") { _ = try $0.integer() },
    Misreading("1e300", "$: expected a whole number") { _ = try $0.integer() },
    Misreading("true", "$: expected a whole number, got a boolean") { _ = try $0.integer() },
    Misreading("7", "$: expected a whole number from 1 to 6") { _ = try $0.integer(in: 1...6) },
    Misreading(#""blue""#, #"$: expected one of "red", "green""#) {
      _ = try $0.choice(Color.self)
    },
    Misreading(
      #"{"a b\n":{"":{"\"":1}}}"#,
      #"$["a b "][""]["\""]: expected true or false, got a number"#
    ) { _ = try $0.required("a b\n").required("").required("\"").bool() },
  ]

  @Test(arguments: misreadings.indices)
  func errorsNameThePathTheExpectationAndTheFinding(index: Int) throws {
    let misreading = Self.misreadings[index]
    let root = try node(misreading.text)
    let error = #expect(throws: JSONShapeError.self) { try misreading.read(root) }
    #expect(error?.description == misreading.message)
  }

  @Test func callersErrorsCarryThePath() throws {
    let rate = try node(#"{"rate":0}"#).required("rate")
    #expect(rate.error("must be above 0").description == "$.rate: must be above 0")
  }

  @Test func messagesAreOneLine() throws {
    let name = try node(#"{"layer":"a\n\u007f\u009b\u2028b"}"#).required("layer")
    #expect(try name.error("unknown layer '\(name.string())'").message == "unknown layer 'a    b'")
  }

  @Test func longKeysAreCutInMessages() throws {
    let key = String(repeating: "k", count: 1000)
    let error = #expect(throws: JSONShapeError.self) { _ = try node("{}").required(key) }
    #expect(error?.message == "\"\(String(repeating: "k", count: 40))...\" is missing")
  }
}
