// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig

/// Random bytes as a configuration file, followed by lines `--set TABLE.KEY=VALUE` for the command line.
/// Every error is one printable line. A configuration that is accepted and printed, as `parallax config
/// show` does, reads back as the same configuration.
enum ConfigurationTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let option = Array("--set ".utf8)
    var file: [UInt8] = []
    var assignments: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: option) {
        assignments.append(String(decoding: line.dropFirst(option.count), as: UTF8.self))
      } else {
        file += line + [UInt8(ascii: "\n")]
      }
    }
    var builder = ConfigurationBuilder()
    builder.add(file: "fuzz.toml", bytes: file)
    for assignment in assignments { builder.set(assignment: assignment) }
    do throws(ConfigurationErrors) {
      let loaded = try builder.build()
      checkPrinted(loaded)
    } catch {
      require(!error.lines.isEmpty, "refused without a reason")
      error.lines.forEach(checkLine)
    }
  }

  private static func checkPrinted(_ loaded: LoadedConfiguration) {
    let text = loaded.toml()
    var builder = ConfigurationBuilder()
    builder.add(file: "printed.toml", bytes: Array(text.utf8))
    do throws(ConfigurationErrors) {
      let again = try builder.build()
      require(
        again.configuration == loaded.configuration, "reads back as another configuration")
    } catch {
      fatalError("does not read back: \(error.lines)")
    }
  }
}
