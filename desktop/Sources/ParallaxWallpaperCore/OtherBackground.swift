// SPDX-License-Identifier: Apache-2.0

/// Programs that show a background of their own. In the layer `background` the compositor decides which one is above,
/// usually by their order of start.
package enum OtherBackground {
  /// What to change so that a program shows no background, by the name of its process.
  private static let remedies = [
    "swaybg": "remove 'output ... bg' from sway's configuration, or swaybg from the autostart",
    "hyprpaper": "remove it from Hyprland's configuration",
    "swww-daemon": "run 'swww kill' and remove it from the autostart",
    "awww-daemon": "run 'awww kill' and remove it from the autostart",
    "wpaperd": "remove it from the autostart",
    "wbg": "remove it from the autostart",
    "mpvpaper": "remove it from the autostart",
    "wf-background": "set 'autostart_wf_shell = false' in wayfire.ini, and start the panel there",
    "pcmanfm": "start pcmanfm without --desktop",
    "pcmanfm-qt": "start pcmanfm-qt without --desktop",
  ]

  /// Returns the message about a process; nil if it is known for no background.
  ///
  /// - Parameters:
  ///   - name: As of /proc/PID/comm.
  ///   - arguments: As of /proc/PID/cmdline.
  package static func message(name: String, arguments: [String]) -> String? {
    guard let remedy = remedies[name] else { return nil }
    // Elsewhere it is a file manager.
    if name.hasPrefix("pcmanfm"), !arguments.contains("--desktop") { return nil }
    return "\(name) shows a background in the same layer and may cover this one; \(remedy), or use "
      + "--layer bottom"
  }
}
