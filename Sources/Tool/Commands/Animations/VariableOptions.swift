// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxDocuments

/// `--set NAME=VALUE`: the values of a document's variables.
struct VariableOptions: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: .init(
      "Value of a variable of the document, or of a slot of a Lottie file: a number, a text, a list "
        + "such as [12,0] or a curve; may be repeated.",
      valueName: "NAME=VALUE"))
  var settings: [String] = []

  func values() throws(CommandFailure) -> VariableValues {
    do {
      return try VariableValues(settings: settings)
    } catch {
      throw CommandFailure(.usage, "--set: \(error.message)")
    }
  }
}
