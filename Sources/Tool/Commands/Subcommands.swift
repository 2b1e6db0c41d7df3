// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Every subcommand, in the groups and the order of `parallax --help`. A new one is a file and a line here.
enum Subcommands {
  static let groups = [
    CommandGroup(
      name: "View",
      subcommands: [
        DemoCommand.self,
        PhoneCommand.self,
        WatchCommand.self,
        TuneCommand.self,
        WebCommand.self,
        WallpaperCommand.self,
      ]),
    CommandGroup(
      name: "Device",
      subcommands: [
        DoctorCommand.self,
        DevicesCommand.self,
        FeedCommand.self,
        RecordCommand.self,
      ]),
    CommandGroup(
      name: "Recording",
      subcommands: [
        ReplayCommand.self,
        FeelCommand.self,
      ]),
    CommandGroup(
      name: "Daemon",
      subcommands: [
        RunCommand.self,
        StatusCommand.self,
        SubscribeCommand.self,
        SetCommand.self,
        ConfigCommand.self,
        ReloadCommand.self,
        RecenterCommand.self,
        InhibitCommand.self,
        AgentCommand.self,
      ]),
    CommandGroup(
      name: "Animation",
      subcommands: [
        PlayCommand.self,
        AnimateCommand.self,
        StopCommand.self,
        PreviewCommand.self,
        ServeAnimationsCommand.self,
      ]),
  ]
}
