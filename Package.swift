// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "parallax",
  products: [
    .executable(name: "parallaxd", targets: ["parallaxd"]),
    .executable(name: "parallax", targets: ["parallax"]),
    .library(name: "ParallaxClient", targets: ["ParallaxClient"]),
    .library(name: "ParallaxAnimation", targets: ["ParallaxAnimation", "ParallaxDocuments"]),
    // For web/: what a page shows and changes.
    .library(name: "ParallaxPage", targets: ["ParallaxPage"]),
    // For desktop/, which reads TOML, too.
    .library(name: "CToml", targets: ["CToml"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // C libraries and the thin shims over them, one for each module that uses one.
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    // Only the types and names: parallaxd is linked with libsystemd, `parallax` with CLazySystemd.
    .systemLibrary(name: "CSystemd"),
    .target(name: "CLibrary"),
    .target(name: "CLazySystemd", dependencies: ["CLibrary"]),
    .target(name: "CCairo", dependencies: ["CLibrary"]),
    .target(name: "CPlatform"),
    .target(name: "CLibIIO", dependencies: ["CLibrary"]),
    .target(name: "CNumber"),
    .target(name: "CToml"),
    .target(name: "CTerminal", linkerSettings: [.linkedLibrary("tinfo")]),

    // What every module may build on: instants, text, the operating system.
    .target(name: "ParallaxTime"),
    .target(name: "ParallaxText", dependencies: ["ParallaxTime"]),
    .target(name: "ParallaxPlatform", dependencies: ["ParallaxTime", "ParallaxText", "CPlatform"]),

    // The path of a sample: trace or sensor -> motion -> wire -> socket.
    .target(name: "ParallaxMotion", dependencies: ["ParallaxTime", "ParallaxText"]),
    .target(
      name: "ParallaxAnimation", dependencies: ["ParallaxTime", "ParallaxMotion"],
      exclude: ["api.txt"]),
    .target(
      name: "ParallaxTrace",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CNumber",
      ]),
    .target(
      name: "ParallaxWire", dependencies: ["ParallaxTime", "ParallaxText", "ParallaxMotion"]),
    .target(name: "ParallaxJSON", dependencies: ["ParallaxText"]),
    .target(
      name: "ParallaxDocuments",
      dependencies: [
        "ParallaxText", "ParallaxPlatform", "ParallaxAnimation", "ParallaxJSON", "ParallaxMotion",
      ], exclude: ["api.txt"]),
    .target(
      name: "ParallaxConfig",
      dependencies: ["ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CToml"]),
    .target(
      name: "ParallaxDevice",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CLibIIO",
      ]),
    .target(
      name: "ParallaxSystemd",
      dependencies: ["ParallaxTime", "ParallaxText", "ParallaxPlatform", "CSystemd"]),
    .target(
      name: "ParallaxGates",
      dependencies: [
        "ParallaxTime", "ParallaxPlatform", "ParallaxMotion", "ParallaxSystemd",
      ]),
    .target(
      name: "ParallaxDaemon",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxTrace",
        "ParallaxWire", "ParallaxJSON", "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd",
        "ParallaxGates", "ParallaxAnimation", "ParallaxDocuments",
      ],
      linkerSettings: [.linkedLibrary("systemd")]),
    .executableTarget(name: "parallaxd", dependencies: ["ParallaxDaemon"]),

    // The tools and the library for other programs.
    .target(
      name: "ParallaxClient",
      dependencies: ["ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxWire"]),
    .target(
      name: "ParallaxPage",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxMotion", "ParallaxWire", "ParallaxConfig",
        "ParallaxClient",
      ]),
    .target(
      name: "ParallaxRecording",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxTrace",
        "ParallaxConfig", "ParallaxDevice", "ParallaxClient",
      ]),
    .target(
      name: "ParallaxDoctor",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire",
        "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd", "ParallaxClient",
      ]),
    .target(name: "ParallaxFeel", dependencies: ["ParallaxTime", "ParallaxMotion"]),
    .target(
      name: "ParallaxPlot",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxMotion", "ParallaxAnimation", "ParallaxTerminal",
        "CCairo",
      ]),
    .target(
      name: "ParallaxAgent",
      dependencies: [
        "ParallaxTime", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire", "ParallaxSystemd",
        "ParallaxGates", "ParallaxClient",
      ]),
    .target(name: "ParallaxTerminal", dependencies: ["ParallaxPlatform", "CTerminal"]),
    .target(
      name: "ParallaxView",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire",
        "ParallaxClient", "ParallaxTerminal",
      ]),
    .target(
      name: "ParallaxCommands",
      dependencies: [
        "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxClient", "ParallaxWire",
        "ParallaxMotion", "ParallaxTrace", "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd",
        "ParallaxAnimation", "ParallaxDocuments", "ParallaxRecording", "ParallaxDoctor",
        "ParallaxAgent", "ParallaxFeel", "ParallaxTerminal", "ParallaxView", "ParallaxPlot",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "parallax", dependencies: ["ParallaxCommands", "CLazySystemd"]),

    // Tests mirror targets.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .target(
      name: "ParallaxTestSupport",
      dependencies: [
        "CAllocationCount", "CPlatform", "CSystemd", "ParallaxTime", "ParallaxPlatform",
        "ParallaxSystemd",
      ],
      path: "Tests/ParallaxTestSupport"),
    .testTarget(name: "ParallaxTimeTests", dependencies: ["ParallaxTime", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxTextTests",
      dependencies: ["ParallaxText", "ParallaxTime", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxPlatformTests",
      dependencies: ["ParallaxPlatform", "ParallaxTime", "CPlatform", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxMotionTests", dependencies: ["ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxAnimationTests",
      dependencies: ["ParallaxAnimation", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDocumentsTests",
      dependencies: [
        "ParallaxDocuments", "ParallaxAnimation", "ParallaxJSON", "ParallaxMotion",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxTraceTests", dependencies: ["ParallaxTrace", "ParallaxTestSupport"]),
    .testTarget(name: "ParallaxWireTests", dependencies: ["ParallaxWire", "ParallaxTestSupport"]),
    // jansson, for comparison.
    .testTarget(
      name: "ParallaxJSONTests", dependencies: ["ParallaxJSON", "CJansson", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxConfigTests", dependencies: ["ParallaxConfig", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDeviceTests",
      dependencies: ["ParallaxDevice", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxSystemdTests",
      dependencies: [
        "ParallaxSystemd", "ParallaxPlatform", "ParallaxTime", "CSystemd", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxGatesTests",
      dependencies: [
        "ParallaxGates", "ParallaxSystemd", "ParallaxPlatform", "ParallaxTime", "ParallaxMotion",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxDaemonTests",
      dependencies: [
        "ParallaxDaemon", "ParallaxMotion", "ParallaxTrace", "ParallaxWire", "ParallaxJSON",
        "ParallaxConfig", "ParallaxGates", "ParallaxSystemd", "ParallaxPlatform", "ParallaxClient",
        "ParallaxAnimation", "ParallaxDocuments",
        "ParallaxDaemonModel", "ParallaxTestSupport",
      ],
      exclude: ["Model", "Conversations"]),
    .target(
      name: "ParallaxDaemonModel",
      dependencies: [
        "ParallaxDaemon", "ParallaxConfig", "ParallaxDevice", "ParallaxDocuments",
        "ParallaxJSON", "ParallaxMotion", "ParallaxPlatform", "ParallaxSystemd", "ParallaxTime",
        "ParallaxWire",
      ],
      path: "Tests/ParallaxDaemonTests/Model", exclude: ["Defects"]),
    .testTarget(
      name: "ParallaxClientTests", dependencies: ["ParallaxClient", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxPageTests",
      dependencies: [
        "ParallaxPage", "ParallaxClient", "ParallaxConfig", "ParallaxMotion", "ParallaxWire",
        "ParallaxTime", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxRecordingTests",
      dependencies: [
        "ParallaxRecording", "ParallaxClient", "ParallaxConfig", "ParallaxDevice", "ParallaxMotion",
        "ParallaxPlatform", "ParallaxTrace", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxDoctorTests",
      dependencies: [
        "ParallaxDoctor", "ParallaxConfig", "ParallaxDevice", "ParallaxMotion", "ParallaxWire",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxFeelTests",
      dependencies: ["ParallaxFeel", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxPlotTests",
      dependencies: [
        "ParallaxPlot", "ParallaxTime", "ParallaxMotion", "ParallaxAnimation", "ParallaxTrace",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxAgentTests",
      dependencies: ["ParallaxAgent", "ParallaxMotion", "ParallaxWire", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxTerminalTests", dependencies: ["ParallaxTerminal", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxViewTests",
      dependencies: [
        "ParallaxView", "ParallaxTerminal", "ParallaxClient", "ParallaxWire", "ParallaxTime",
        "ParallaxMotion", "ParallaxTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "ParallaxCommandsTests",
      dependencies: [
        "ParallaxCommands", "ParallaxClient", "ParallaxMotion", "ParallaxSystemd",
        "ParallaxPlatform", "ParallaxText", "ParallaxTrace",
        "ParallaxWire", "ParallaxAnimation", "ParallaxDocuments", "ParallaxRecording",
        "ParallaxDoctor",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "RepositoryTests", dependencies: ["ParallaxTestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx20
)

// Only `make test-model` builds this: the model test, optimized.
if Context.environment["PARALLAX_MODEL"] != nil {
  package.targets.append(
    .executableTarget(
      name: "ModelRun", dependencies: ["ParallaxDaemonModel"], path: "Tests/ModelRun"))
}

// Only `make test-day` builds this: a day of motion on a settable clock, optimized.
if Context.environment["PARALLAX_DAY"] != nil {
  package.targets.append(
    .executableTarget(
      name: "DayRun",
      dependencies: [
        "CAllocationCount", "ParallaxConfig", "ParallaxDaemon", "ParallaxPlatform",
        "ParallaxSystemd", "ParallaxTime",
      ],
      path: "Tests/DayRun"))
}

// Only `make test-motion` builds this: what a display draws.
if Context.environment["PARALLAX_LIVE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "LiveDraw", dependencies: ["ParallaxClient"], path: "Tests/LiveDraw"))
}

// Only `make test-clients` builds this: ParallaxClient among the other clients.
if Context.environment["PARALLAX_CONFORMANCE"] != nil {
  package.targets.append(
    .executableTarget(
      name: "ConformanceDriver", dependencies: ["ParallaxClient", "ParallaxWire"],
      path: "Tests/Conformance/Swift"))
}

// Only `make fuzz` builds these: libFuzzer supplies their main.
if Context.environment["PARALLAX_FUZZ"] != nil {
  package.targets += [
    .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "CNumber", "CSystemd", "ParallaxTime", "ParallaxText", "ParallaxPlatform",
        "ParallaxMotion", "ParallaxAnimation", "ParallaxTrace", "ParallaxWire", "ParallaxJSON",
        "ParallaxDocuments", "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd",
        "ParallaxDaemon", "ParallaxClient",
      ],
      path: "Fuzz/Fuzz"),
  ]
}

for target in package.targets where target.type != .system && target.type != .plugin {
  let isSwift = !target.name.hasPrefix("C")
  if isSwift {
    target.swiftSettings = [
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
  } else {
    // Checks of sizes at run time, which need optimized code.
    let fortify = CSetting.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))
    target.cSettings = [fortify]
    target.cxxSettings = [
      .treatAllWarnings(as: .error),
      .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
    ]
  }
}
