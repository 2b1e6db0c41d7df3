// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDaemon
import ParallaxDocuments

/// Documents in memory. It replies at once, or when the test allows it.
final class FakeDocuments: DocumentSource {
  private let documents: [String: String]
  /// Whether requests wait for `answer()`.
  var isSlow = false
  private var waiting: [() -> Void] = []

  init(_ documents: [String: String]) {
    self.documents = documents
  }

  func fetch(
    _ id: DocumentID, for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<FoundDocument, DocumentError>) -> Void
  ) {
    let document = documents[id.text]
    let answer = {
      guard let document else {
        return reply(.failure(DocumentError(.noSuchAnimation, name: id.text, "no such animation")))
      }
      reply(.success(FoundDocument(text: Array(document.utf8))))
    }
    if isSlow { waiting.append(answer) } else { answer() }
  }

  func answer() {
    let answers = waiting
    waiting = []
    for answer in answers { answer() }
  }

  /// Returns a native document with this `animation` and, if given, more members.
  static func document(_ animation: String, _ more: String = "") -> String {
    #"{"parallax":1,\#(more.isEmpty ? "" : more + ",")"animation":\#(animation)}"#
  }
}

/// A rig for animations: no gyroscope, a fade of 0.3 s, 30 frames per second.
extension Rig {
  /// The documents that the tests play.
  static let documents = [
    // 12 px in 0.2 s, linear; it stays there.
    "nudge": FakeDocuments.document(
      #"{"move":{"by":[12,0]},"duration":0.2,"curve":"linear"}"#),
    // Up and down in 1 s; it ends at rest.
    "hop": FakeDocuments.document(
      #"{"move":{"by":[0,-6]},"duration":0.5,"curve":"linear","autoreverse":true}"#),
    "turn": FakeDocuments.document(
      #"{"parallel":[{"rotate":{"by":90},"duration":0.2},{"fade":{"to":0.5},"duration":0.2}]}"#),
    "breathe": FakeDocuments.document(
      #"{"scale":{"to":1.5},"duration":0.5,"autoreverse":true}"#),
    "card": FakeDocuments.document(
      #"{"move":{"by":[0,9]},"duration":0.1,"curve":"linear"}"#, #""layer":"card""#),
    // Under reduced motion it fades instead of moving.
    "calm": FakeDocuments.document(
      #"{"move":{"by":[12,0]},"duration":1,"curve":"linear"}"#,
      #""reduced-motion":{"fade":{"to":0.5},"duration":0.5}"#),
    "calm-by-id": FakeDocuments.document(
      #"{"move":{"by":[12,0]},"duration":1,"curve":"linear"}"#, #""reduced-motion":"nudge""#),
    "calm-nowhere": FakeDocuments.document(
      #"{"move":{"by":[12,0]},"duration":1,"curve":"linear"}"#, #""reduced-motion":"nowhere""#),
    "forever": FakeDocuments.document(
      #"{"repeat":"forever","of":{"rotate":{"by":90},"duration":1,"curve":"linear"}}"#),
    "wrong": "{\"parallax\":1,\n \"animation\":{\"wobble\":1}}",
    "wheel": #"{"fr":10,"ip":0,"op":2,"layers":[{"ty":3,"nm":"rim","ks":"#
      + #"{"r":{"k":[{"t":0,"s":[0]},{"t":2,"s":[9]}]}}}]}"#,
    "empty": FakeDocuments.document(#"{"sequence":[]}"#),
    "steps": FakeDocuments.document(
      #"{"sequence":[{"delay":0.1},{"move":{"by":[3,0]},"duration":0.1},{"delay":0.1}]}"#),
  ]

  static func animated(
    _ settings: [String] = [], documents: FakeDocuments = FakeDocuments(documents),
    worker: any DocumentWorker = ImmediateDocumentWorker(),
    source: ((Configuration) -> any MotionSource)? = nil
  ) throws -> Rig {
    try Rig(
      ["source.kind=iio", "motion.smoothing=none"] + settings, documents: documents, worker: worker,
      source: source)
  }
}

extension Client {
  /// Sends a PLAY and returns the answers.
  func play(_ id: String, _ more: String = "") -> [Line] {
    ask(#"{"class":"PLAY","id":"\#(id)"\#(more.isEmpty ? "" : "," + more)}"#)
  }

  func set(_ key: String, _ value: String) {
    send(#"{"class":"SET","key":"\#(key)","value":"\#(value)"}"#)
  }
}

extension [Line] {
  var frames: [Line] { filter { $0.name == "OFFSET" } }

  /// The ANIMATION lines, as in `nudge started`, `nudge completed end`.
  var story: [String] {
    filter { $0.name == "ANIMATION" }.map {
      "\($0["id"] ?? "") \($0["event"] ?? "")\($0["position"].map { " " + $0 } ?? "")"
    }
  }

  /// Frames and events in order: `0`, `4`, ... is the x of a frame, `+` a start, `.` a step,
  /// `|` a completion, `x` a cancellation.
  var marbles: String {
    compactMap { line in
      switch (line.name, line["event"]) {
      case ("OFFSET", _):
        line.x == line.x.rounded() ? "\(Int(line.x))" : "\(line.x)"
      case (_, "started"): "+"
      case (_, "step"): "."
      case (_, "completed"): "|"
      case (_, "cancelled"): "x"
      default: nil
      }
    }.joined(separator: " ")
  }
}

extension Line {
  func layer(_ name: String) -> Line? { object("layers")?.object(name) }
}
