// SPDX-License-Identifier: Apache-2.0

/// How a user gets access to a gyroscope.
enum AccessFix {
  static let ruleFile = "/etc/udev/rules.d/70-parallax.rules"
  /// The group to create if the device node belongs to none.
  static let newGroup = "iio"

  /// Returns one line, and the lines to paste that it refers to.
  static func fix(
    for user: String, group: DoctorFacts.NodeGroup?, rawIsRefused: Bool
  ) -> (line: String, attachment: String?) {
    if let group, group.coversSettings, !rawIsRefused, !group.isOfProcess {
      return (join(group, user), nil)
    }
    let name = group?.name ?? newGroup
    let isMember = group.map { $0.isOfUser || $0.isOfProcess } ?? false
    let join = isMember ? "" : "sudo adduser \(user) \(name) && "
    // A udevd that has read the rule before the group existed keeps the rule without a group. It reads
    // a file again only if the file has changed.
    let attachment = """
      # \(ruleFile)
      \(rule(group: name, includingRaw: rawIsRefused))

      # then
      sudo groupadd -f -r \(name) && \(join)sudo touch \(ruleFile) && \
      sudo udevadm control --reload && sudo udevadm trigger --action=add --subsystem-match=iio --settle
      """
    return (
      "put the rule below into \(ruleFile), run the command below it"
        + (isMember ? "" : ", and log in again"), attachment
    )
  }

  /// The command that adds a user to a group, or the advice to log in again.
  private static func join(_ group: DoctorFacts.NodeGroup, _ user: String) -> String {
    group.isOfUser
      ? "log in again; then \(user) is in the group \(group.name)"
      : "sudo adduser \(user) \(group.name), then log in again"
  }

  /// The fix that lets a user read the motion sensors of controllers, and no other input device.
  ///
  /// - Parameter group: The group that may read the node, if the rule is installed.
  static func inputFix(
    for user: String, group: DoctorFacts.NodeGroup?
  ) -> (line: String, attachment: String?) {
    if let group, !group.isOfProcess { return (join(group, user), nil) }
    let attachment = """
      # \(ruleFile)
      \(inputRule(group: newGroup))

      # then
      sudo groupadd -f -r \(newGroup) && sudo adduser \(user) \(newGroup) && sudo touch \(ruleFile) && \
      sudo udevadm control --reload && \
      sudo udevadm trigger --action=add --property-match=ID_INPUT_ACCELEROMETER=1 --settle
      """
    return (
      "put the rule below into \(ruleFile), run the command below it, and log in again", attachment
    )
  }

  /// Lets the group read the nodes that udev has found to be motion sensors. An entry of its own takes nothing
  /// from the group `input`, to which the nodes belong.
  static func inputRule(group: String) -> String {
    #"ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_ACCELEROMETER}=="1", "#
      + #"RUN+="/usr/bin/setfacl -m g:\#(group):r $env{DEVNAME}""#
  }

  /// Gives the group the node and the files in the device's folder that streaming writes: the kernel
  /// makes them root's, whatever the node's mode is.
  static func rule(group: String, includingRaw: Bool) -> String {
    let files =
      "buffer/enable buffer/length buffer/watermark scan_elements/*_en *sampling_frequency "
      + "current_timestamp_clock trigger/current_trigger"
      + (includingRaw ? " in_anglvel_*_raw" : "")
    // udev reads $$ as $. Two programs change all files, because a rule must be quick. The shell exits
    // with 0 whichever files exist.
    return #"ACTION!="remove", SUBSYSTEM=="iio", KERNEL=="iio:device*", TEST=="in_anglvel_x_raw", "#
      + #"GROUP="\#(group)", MODE="0660", RUN+="/bin/sh -c 'cd /sys%p && for f in \#(files); do "#
      + #"[ ! -e $$f ] || set -- $$@ $$f; done; [ $$# = 0 ] || { chgrp \#(group) $$@ && chmod g+rw $$@; }'""#
  }
}
