// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxLoop

/// `parallax agent`: a user's session, reported to a daemon that cannot see it.
struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Report this user's desktop settings to the system's daemon.",
    discussion: """
      For a daemon that serves all users; a daemon that this user runs sees the session itself. \
      Reports whether the desktop wants reduced motion and, on request, the orientation of the \
      device. The reports count for this user only, while the agent runs. Runs until SIGTERM or \
      Ctrl-C, best as a service of the session: 'systemctl --user enable --now parallax-agent'.
      """)

  @OptionGroup var connection: ControlPathOptions

  func run() throws {
    do throws(SystemError) {
      try Agent(paths: connection.paths, log: Log(program: "parallax")).run()
    } catch {
      throw CommandFailure(.inputOutput, "\(error)")
    }
  }
}
