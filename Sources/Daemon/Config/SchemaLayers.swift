// SPDX-License-Identifier: Apache-2.0

extension ConfigSchema {
  static let layers = SettingTable(
    name: "layers",
    summary: """
      Planes of the picture that each move by a share of the motion: NAME = DEPTH, at most 16. \
      Every OFFSET has their positions. A depth has no unit and is from -10 to 10: 0 does not \
      move, 1 moves with the motion, above 1 moves farther (nearer to the viewer), below 0 moves \
      against it. A name has up to 64 bytes without spaces, quotes, backslash, comma or =. A \
      subscriber may send its own layers instead.
      """,
    keys: [])
}
