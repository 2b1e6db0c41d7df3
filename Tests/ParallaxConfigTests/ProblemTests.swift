import ParallaxConfig
import ParallaxMotion
import Testing

/// Builds what a file and assignments say; the lines of the error where there is one.
func problems(
  in text: String = "", path: String = "p.toml", set: [String] = []
) -> [String] {
  var builder = ConfigurationBuilder()
  builder.add(file: path, bytes: Array(text.utf8))
  for assignment in set { builder.set(assignment: assignment) }
  do throws(ConfigError) {
    _ = try builder.build()
    return []
  } catch {
    return error.lines
  }
}

@Suite("Configuration problems")
struct ProblemTests {
  @Test("a wrong type, an unknown key and an impossible value, all in one go with their places")
  func allAtOnce() {
    let text = """
      [motion]
      mode = 3
        smothing = "none"
      recenter = -1

      [gates]
      reduced = true
      """
    #expect(
      problems(in: text) == [
        "p.toml:2:8: motion.mode: 3 is no string; write a string in quotes: \"rate\" or \"tilt\"",
        "p.toml:3:3: motion.smothing: unknown key; did you mean smoothing? [motion] has mode, "
          + "recenter, bias, scale, range-x, range-y, smoothing, mount-matrix",
        "p.toml:4:12: motion.recenter: -1 is out of range; use 0.05 to 3600",
        "p.toml:7:11: gates.reduced: true is no string; write a string in quotes: \"still\" or "
          + "\"subtle\"",
      ])
  }
}
