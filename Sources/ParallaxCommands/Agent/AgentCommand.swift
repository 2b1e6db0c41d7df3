import ArgumentParser
import ParallaxSystem

/// `parallax agent`: what a user's session knows and a system's daemon cannot see.
struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Tell a system's daemon what this user's session wants.",
    discussion: """
      For a daemon that runs for all users; one that is this user's own sees the session itself. \
      Runs until SIGTERM or Ctrl-C, best as a service of the session: 'systemctl --user enable --now \
      parallax-agent'. It tells whether the desktop wants less motion and, where the daemon asks for \
      it, how the device is turned. That holds for this user alone, and until the agent ends.
      """)

  @OptionGroup var connection: ControlOptions

  func run() throws {
    do throws(SystemError) {
      try Agent(paths: connection.paths, log: Log(program: "parallax")).run()
    } catch {
      throw CommandFailure(.inputOutput, "\(error)")
    }
  }
}
