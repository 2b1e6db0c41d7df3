// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Every subcommand, in the order of `parallax --help`. A new one is a file and a line here.
enum Subcommands {
  static let all: [any ParsableCommand.Type] = [
    ReplayCommand.self,
    FeelCommand.self,
    RunCommand.self,
    DemoCommand.self,
    WatchCommand.self,
    TuneCommand.self,
    WebCommand.self,
    PhoneCommand.self,
    WallpaperCommand.self,
    SubscribeCommand.self,
    RecordCommand.self,
    FeedCommand.self,
    PlayCommand.self,
    AnimateCommand.self,
    StopCommand.self,
    PreviewCommand.self,
    ServeAnimationsCommand.self,
    StatusCommand.self,
    SetCommand.self,
    RecenterCommand.self,
    ReloadCommand.self,
    InhibitCommand.self,
    AgentCommand.self,
    DevicesCommand.self,
    DoctorCommand.self,
    ConfigCommand.self,
  ]
}
