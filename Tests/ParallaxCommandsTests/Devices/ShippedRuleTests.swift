import ParallaxTestSupport
import Testing

@testable import ParallaxCommands

/// systemd/udev: one rule, whether it is installed or printed.
@Suite struct ShippedRuleTests {
  @Test func `The installed rule is the doctor's`() throws {
    let file = try text(ofFile: Surroundings.packageRoot + "/systemd/udev/70-parallax.rules")
    let rules = file.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(rules == [Substring(AccessMend.rule(group: AccessMend.newGroup, includingRaw: false))])
    #expect(AccessMend.ruleFile.hasSuffix("/70-parallax.rules"))
  }

  @Test func `Its group is made with the service's user`() throws {
    let lines = try text(ofFile: Surroundings.packageRoot + "/systemd/sysusers.conf")
      .split(separator: "\n")
    #expect(
      lines.contains {
        $0.split(separator: " ").prefix(2) == ["g", Substring(AccessMend.newGroup)]
      })
    #expect(lines.contains(Substring("m parallax \(AccessMend.newGroup)")))
  }
}
