// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

// What the shells offer for a value. Every option and argument whose value is a path or one of a few
// words has one of these, or one of ArgumentParser's; a test holds that.
extension CompletionKind {
  /// Any file.
  static let path = CompletionKind.file()

  /// A document with an animation.
  static let document = CompletionKind.file(extensions: ["json", "lottie"])

  /// The values of a setting with an option of its own.
  static func setting(key: String, valueName: String) -> CompletionKind {
    switch (key, valueName) {
    case ("layers", _): .layerDepth
    case (_, "PATH"), (_, "FILE"): .path
    default: .values(ofKey: key)
    }
  }

  /// A source of `parallax run`.
  static let source = lookup { line, index in
    let word = index < line.count ? line[index] : ""
    let trace = "trace:"
    guard word.hasPrefix(trace) else {
      return ["auto", "gyroscope", "iio", "evdev", "feed", "synthetic", trace]
    }
    return CompletionLookup.files(String(word.dropFirst(trace.count))).map { trace + $0 }
  }

  /// The words of a key of the configuration, if it has any.
  static func values(ofKey key: String) -> CompletionKind {
    lookup { _, _ in ConfigSchema.key(at: key)?.words ?? [] }
  }

  /// Words that are looked up when they are needed: a list would be made at every start of the program. In
  /// zsh, the text after a colon in a list would also be a description.
  ///
  /// - Parameter find: Returns the words for a command line and the index of the word to complete.
  private static func lookup(
    _ find: @escaping @Sendable (_ line: [String], _ index: Int) -> [String]
  ) -> CompletionKind {
    .custom { line, index, _ in
      let words = find(line, index)
      guard CompletionShell.requesting == .zsh else { return words }
      return words.map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
    }
  }

  /// `TABLE.KEY=VALUE` of `--set`.
  static let assignment = lookup { _, _ in
    ConfigSchema.keys.flatMap { key in
      ([""] + key.words).map { "\(key.path)=\($0)" }
    }
  }

  /// A value of `parallax set` after its key, else a key.
  static let setting = lookup { line, index in
    let previous = line.indices.contains(index - 1) ? line[index - 1] : ""
    let key = SetChange.keys.first { $0.name == previous }
    return key?.words ?? SetChange.keys.map(\.name)
  }

  /// The id of a running animation.
  static let runningAnimation = lookup { line, _ in CompletionLookup.animations(line) }

  /// A document's id, or its file.
  static let playable = lookup { line, index in
    CompletionLookup.documents(line)
      + CompletionLookup.files(
        index < line.count ? line[index] : "", extensions: ["json", "lottie"])
  }

  /// The name of a layer.
  static let layer = lookup { line, _ in CompletionLookup.layers(line) }

  /// `NAME=` of a layer.
  static let layerDepth = lookup { line, _ in CompletionLookup.layers(line).map { $0 + "=" } }

  /// A class of the stream.
  static let streamClass = CompletionKind.list(SubscribeCommand.classes)
}
