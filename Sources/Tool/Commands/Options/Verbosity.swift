// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How much a command says on standard error besides errors.
struct Verbosity: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print no notes on standard error, only errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print on standard error which socket answers.")
  var verbose = false

  /// Prints what a user wants to know but did not ask for.
  func note(_ message: String) {
    if !quiet { Console.report(message) }
  }

  /// Prints what is of use when something does not work.
  func detail(_ message: String) {
    if verbose { Console.report(message) }
  }
}
