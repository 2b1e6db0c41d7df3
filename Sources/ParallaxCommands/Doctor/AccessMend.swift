import ParallaxDevice

/// How a user gets at a gyroscope.
enum AccessMend {
  static let ruleFile = "/etc/udev/rules.d/70-parallax.rules"
  /// What is made where the device node has no group of its own.
  static let newGroup = "iio"

  /// One line, and what it speaks of where that is more than a line.
  static func mend(
    for user: String, group: DoctorFacts.NodeGroup?, rawIsRefused: Bool
  ) -> (line: String, attachment: String?) {
    if let group, group.coversSettings, !rawIsRefused, !group.isOurs {
      return group.isUsers
        ? ("log in again: \(user) is in the group \(group.name) from then on", nil)
        : ("sudo adduser \(user) \(group.name), then log in again", nil)
    }
    let name = group?.name ?? newGroup
    let isMember = group.map { $0.isUsers || $0.isOurs } ?? false
    let join = isMember ? "" : "sudo adduser \(user) \(name) && "
    // A udevd that read the rule before there was the group keeps it without: it reads again only what
    // has changed.
    let attachment = """
      # \(ruleFile)
      \(rule(group: name, includingRaw: rawIsRefused))

      # then
      sudo groupadd -f -r \(name) && \(join)sudo touch \(ruleFile) && \
      sudo udevadm control --reload && sudo udevadm trigger --action=add --subsystem-match=iio --settle
      """
    return (
      "put the rule below into \(ruleFile), run the line behind it"
        + (isMember ? "" : ", and log in again"), attachment
    )
  }

  /// Hands over the node, and the files below the device's folder that streaming writes: the kernel
  /// makes them root's whatever the node's mode is.
  static func rule(group: String, includingRaw: Bool) -> String {
    let files =
      "buffer/enable buffer/length buffer/watermark scan_elements/*_en *sampling_frequency "
      + "current_timestamp_clock trigger/current_trigger"
      + (includingRaw ? " in_anglvel_*_raw" : "")
    // udev reads $$ as $. Two programs for all files, so that it is done soon. The shell ends well
    // whichever files there are.
    return #"ACTION!="remove", SUBSYSTEM=="iio", KERNEL=="iio:device*", TEST=="in_anglvel_x_raw", "#
      + #"GROUP="\#(group)", MODE="0660", RUN+="/bin/sh -c 'cd /sys%p && for f in \#(files); do "#
      + #"[ ! -e $$f ] || set -- $$@ $$f; done; [ $$# = 0 ] || { chgrp \#(group) $$@ && chmod g+rw $$@; }'""#
  }
}
