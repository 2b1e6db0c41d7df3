// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient

/// The messages of a feed on standard error. Progress is reported only in a terminal, or with `--verbose`.
struct FeedReport {
  let name: String
  let verbosity: Verbosity
  /// Whether standard error is a terminal.
  let isTerminal: Bool
  private var shown = ""
  private var rejections: Set<String> = []
  private var isLost = false

  init(name: String, verbosity: Verbosity, isTerminal: Bool) {
    self.name = name
    self.verbosity = verbosity
    self.isTerminal = isTerminal
  }

  mutating func accepted() {
    if isLost { verbosity.note("the daemon answers again; the feed continues") }
    isLost = false
    shown = ""
  }

  mutating func lost(_ error: ParallaxError) {
    if !isLost {
      verbosity.note("\(error); the feed continues when the daemon answers again")
    }
    isLost = true
  }

  mutating func show(_ device: DeviceMessage) {
    guard let text = Self.text(of: device, name), text != shown else { return }
    shown = text
    progress(text)
  }

  /// Reports an error of the daemon about samples, each only once, because every sample may cause it.
  mutating func rejected(_ error: ErrorMessage) {
    if rejections.count < 8, rejections.insert(error.message).inserted {
      Console.report("the daemon has refused samples: \(error.message)")
    }
  }

  func isAhead() {
    verbosity.note(
      "the rows arrive faster than their times advance, so they are not live; they are sent at the pace "
        + "of their times")
  }

  func finish(sent: Int, discarded: Int) {
    let samples = "\(sent) \(sent == 1 ? "sample" : "samples") sent"
    let rest = discarded > 0 ? ", \(discarded) discarded while the daemon did not answer" : ""
    progress("\(name): \(samples)\(rest)")
  }

  private func progress(_ text: String) {
    if isTerminal { verbosity.note(text) } else { verbosity.detail(text) }
  }

  /// Returns the meaning of the device's state for a feed; nil if it has none.
  static func text(of device: DeviceMessage, _ name: String) -> String? {
    let reason = device.reason.map { ": \($0)" } ?? ""
    guard device.driver == "feed" else {
      let other = device.name.map { " '\($0)'" } ?? ""
      return "the daemon reads its \(device.driver) source\(other) instead of '\(name)'"
    }
    switch device.state {
    case .streaming: return "the daemon uses the samples of '\(name)'"
    case .idle:
      return "the daemon discards the samples of '\(name)' until a program needs motion"
    case .busy, .denied, .lost, .none:
      return "the samples of '\(name)' are \(device.state.rawValue)\(reason)"
    case .ended: return nil
    }
  }
}
