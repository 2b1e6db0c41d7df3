// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxConfig
import ParallaxDocuments
import ParallaxProtocol

/// The words that complete a value and depend on this machine: running animations, layers,
/// documents and files. A question that fails yields no words and no message.
enum CompletionLookup {
  /// The seconds after which an unanswered question ends the program, and with it the completion.
  private static let limitSeconds: UInt32 = 1

  /// Returns the ids of the running animations.
  ///
  /// - Parameter words: The command line, whose `--control` or `--socket` names the daemon.
  static func animations(_ words: [String]) -> [String] {
    unique(status(words)?.animations.map(\.id) ?? [])
  }

  /// Returns the layers of the configuration, and those that an animation moves.
  static func layers(_ words: [String]) -> [String] {
    let configured = configuration(words)?.layers.layers.map(\.name) ?? []
    return unique(configured + (status(words)?.animations.compactMap(\.layer) ?? []))
  }

  /// Returns the ids of the documents in the configured folder, then of those that are installed with parallax.
  static func documents(_ words: [String]) -> [String] {
    let own = configuration(words)?.animations.directory.map(DocumentDirectory.init)
    return unique([own, .shipped()].flatMap { $0?.ids ?? [] })
  }

  /// Returns the folders and files that begin with `prefix`.
  ///
  /// - Parameter extensions: The extensions of the files; nil returns all files.
  static func files(_ prefix: String, extensions: [String]? = nil) -> [String] {
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let (folder, start) = (prefix[..<end], prefix[end...])
    guard let names = try? Directory.names(in: folder.isEmpty ? "." : String(folder)) else {
      return []
    }
    return names.sorted().compactMap { (name: String) -> String? in
      guard name.hasPrefix(start), !name.hasPrefix(".") || start.hasPrefix(".") else { return nil }
      let path = String(folder) + name
      var entry = stat()
      guard stat(path, &entry) == 0 else { return nil }
      if entry.st_mode & S_IFMT == S_IFDIR { return path + "/" }
      guard let extensions else { return path }
      return extensions.contains { name.hasSuffix("." + $0) } ? path : nil
    }
  }

  private static func status(_ words: [String]) -> StatusMessage? {
    // SIGALRM ends this process, in case the daemon accepts and does not answer.
    alarm(limitSeconds)
    defer { alarm(0) }
    let socket = value(of: "--socket", in: words)
    let control = value(of: "--control", in: words) ?? socket.map(SocketPath.beside)
    let paths = SocketPath.candidates(.control, explicit: control)
    guard let daemon = try? ParallaxControl(toFirstOf: paths),
      let reply = try? daemon.answer(to: .status), case .status(let status, _) = reply.answer
    else { return nil }
    return status
  }

  private static func configuration(_ words: [String]) -> Configuration? {
    let builder = ConfigLoader().builder(file: value(of: "--config", in: words))
    return try? builder.build().configuration
  }

  private static func value(of option: String, in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word == option, index + 1 < words.count { return words[index + 1] }
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }

  private static func unique(_ words: [String]) -> [String] {
    words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
