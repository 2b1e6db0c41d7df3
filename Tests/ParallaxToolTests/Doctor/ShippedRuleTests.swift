// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxTool

@Suite("The installed udev rules")
struct ShippedRuleTests {
  @Test func areTheDoctors() throws {
    let file = try text(ofFile: TestEnvironment.packageRoot + "/systemd/udev/70-parallax.rules")
    let rules = file.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let group = AccessFix.newGroup
    #expect(
      rules.map(String.init) == [
        AccessFix.rule(group: group, includingRaw: false), AccessFix.inputRule(group: group),
      ])
    #expect(AccessFix.ruleFile.hasSuffix("/70-parallax.rules"))
  }

  @Test func itsGroupIsCreatedWithTheServicesUser() throws {
    let lines = try text(ofFile: TestEnvironment.packageRoot + "/systemd/sysusers.conf")
      .split(separator: "\n")
    #expect(
      lines.contains {
        $0.split(separator: " ").prefix(2) == ["g", Substring(AccessFix.newGroup)]
      })
    #expect(lines.contains(Substring("m parallax \(AccessFix.newGroup)")))
  }
}
