// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "parallax",
  products: [
    .executable(name: "parallaxd", targets: ["parallaxd"]),
    .executable(name: "parallax", targets: ["parallax"]),
    .library(name: "ParallaxClient", targets: ["ParallaxClient"]),
    .library(name: "ParallaxAnimation", targets: ["ParallaxAnimation"]),
    .library(name: "ParallaxDocuments", targets: ["ParallaxDocuments"]),
    // For desktop/, which reads TOML, too.
    .library(name: "CToml", targets: ["CToml"]),
  ],
  dependencies: [
    // For the tools alone, which are built with 1.8. A range, since SwiftPM holds every package that uses the libraries to it.
    .package(url: "https://github.com/apple/swift-argument-parser", "1.5.0"..<"2.0.0")
  ],
  targets: [
    // C libraries and the thin shims over them, one for each module that uses one.
    .systemLibrary(
      name: "CJansson", path: "Sources/C/CJansson", pkgConfig: "jansson",
      providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
      name: "CSystemd", path: "Sources/C/CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CCairo", path: "Sources/C/CCairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(
      name: "CEvdev", path: "Sources/C/CEvdev", pkgConfig: "libevdev",
      providers: [.apt(["libevdev-dev"])]),
    .target(name: "CPlatform", path: "Sources/C/CPlatform"),
    .target(name: "CLibIIO", path: "Sources/C/CLibIIO"),
    .target(name: "CToml", path: "Sources/C/CToml"),
    .target(
      name: "CTerminal", path: "Sources/C/CTerminal",
      linkerSettings: [.linkedLibrary("tinfo")]),

    // What every module may build on: instants, text, JSON, the operating system.
    .target(name: "ParallaxBase", dependencies: ["CPlatform"], path: "Sources/Base"),

    // The path of a sample: trace or sensor -> motion -> protocol -> socket.
    .target(name: "ParallaxMotion", dependencies: ["ParallaxBase"], path: "Sources/Motion"),
    .target(
      name: "ParallaxTrace", dependencies: ["ParallaxBase", "ParallaxMotion"],
      path: "Sources/Trace"),
    .target(
      name: "ParallaxProtocol", dependencies: ["ParallaxBase", "ParallaxMotion"],
      path: "Sources/Protocol"),

    // Animations, a library for other programs.
    .target(
      name: "ParallaxAnimation", dependencies: ["ParallaxBase", "ParallaxMotion"],
      path: "Sources/Animation/Animation", exclude: ["api.txt"]),
    .target(
      name: "ParallaxDocuments",
      dependencies: ["ParallaxBase", "ParallaxMotion", "ParallaxAnimation"],
      path: "Sources/Animation/Documents", exclude: ["api.txt"]),

    // The daemon. Its tools use the settings, the devices and the gates, too.
    .target(
      name: "ParallaxConfig", dependencies: ["ParallaxBase", "ParallaxMotion", "CToml"],
      path: "Sources/Daemon/Config"),
    .target(
      name: "ParallaxLoop", dependencies: ["ParallaxBase", "CSystemd"],
      path: "Sources/Daemon/Loop"),
    .target(
      name: "ParallaxDevice",
      dependencies: [
        "ParallaxBase", "ParallaxMotion", "ParallaxConfig", "ParallaxLoop", "CEvdev", "CLibIIO",
      ],
      path: "Sources/Daemon/Device"),
    .target(
      name: "ParallaxGates",
      dependencies: [
        "ParallaxBase", "ParallaxMotion", "ParallaxProtocol", "ParallaxConfig", "ParallaxLoop",
      ],
      path: "Sources/Daemon/Gates"),
    .target(
      name: "ParallaxDaemon",
      dependencies: [
        "ParallaxBase", "ParallaxMotion", "ParallaxTrace", "ParallaxProtocol", "ParallaxAnimation",
        "ParallaxDocuments", "ParallaxConfig", "ParallaxLoop", "ParallaxDevice", "ParallaxGates",
      ],
      path: "Sources/Daemon/Service"),
    .executableTarget(name: "parallaxd", dependencies: ["ParallaxDaemon"]),

    // The library for other programs, and the tools.
    .target(
      name: "ParallaxClient",
      dependencies: [
        "ParallaxBase", "ParallaxMotion", "ParallaxProtocol", "ParallaxAnimation",
        "ParallaxDocuments",
      ],
      path: "Sources/Client", exclude: ["api.txt"]),
    .target(
      name: "ParallaxTool",
      dependencies: [
        "ParallaxBase", "ParallaxMotion", "ParallaxTrace", "ParallaxProtocol", "ParallaxAnimation",
        "ParallaxDocuments", "ParallaxConfig", "ParallaxLoop", "ParallaxDevice", "ParallaxGates",
        "ParallaxClient", "CCairo", "CTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Tool"),
    .executableTarget(name: "parallax", dependencies: ["ParallaxTool"]),

    // Tests mirror targets.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .target(
      name: "ParallaxTestSupport",
      dependencies: ["CAllocationCount", "CPlatform", "CSystemd", "ParallaxBase", "ParallaxLoop"],
      path: "Tests/ParallaxTestSupport"),
    // jansson, for comparison.
    .testTarget(
      name: "ParallaxBaseTests",
      dependencies: ["ParallaxBase", "CPlatform", "CJansson", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxMotionTests",
      dependencies: ["ParallaxBase", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxTraceTests",
      dependencies: ["ParallaxBase", "ParallaxMotion", "ParallaxTrace", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxProtocolTests",
      dependencies: ["ParallaxBase", "ParallaxMotion", "ParallaxProtocol", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxAnimationTests",
      dependencies: ["ParallaxBase", "ParallaxAnimation", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDocumentsTests",
      dependencies: [
        "ParallaxBase", "ParallaxDocuments", "ParallaxAnimation", "ParallaxMotion",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxConfigTests",
      dependencies: ["ParallaxBase", "ParallaxConfig", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxLoopTests",
      dependencies: ["ParallaxBase", "ParallaxLoop", "CSystemd", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDeviceTests",
      dependencies: [
        "CEvdev", "ParallaxBase", "ParallaxDevice", "ParallaxMotion", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxGatesTests",
      dependencies: [
        "ParallaxBase", "ParallaxGates", "ParallaxLoop", "ParallaxMotion", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxDaemonTests",
      dependencies: [
        "ParallaxBase", "ParallaxDaemon", "ParallaxMotion", "ParallaxTrace", "ParallaxProtocol",
        "ParallaxConfig", "ParallaxDevice", "ParallaxGates", "ParallaxLoop", "ParallaxClient",
        "ParallaxAnimation", "ParallaxDocuments", "ParallaxDaemonModel", "ParallaxTool",
        "ParallaxTestSupport",
      ],
      exclude: ["Model", "Conversations", "Scripts"]),
    .target(
      name: "ParallaxDaemonModel",
      dependencies: [
        "ParallaxBase", "ParallaxDaemon", "ParallaxConfig", "ParallaxDevice", "ParallaxDocuments",
        "ParallaxGates", "ParallaxMotion", "ParallaxLoop", "ParallaxProtocol",
      ],
      path: "Tests/ParallaxDaemonTests/Model", exclude: ["Defects"]),
    .testTarget(
      name: "ParallaxClientTests",
      dependencies: [
        "ParallaxBase", "ParallaxClient", "ParallaxGates", "ParallaxMotion", "ParallaxProtocol",
        "ParallaxAnimation", "ParallaxDocuments", "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxToolTests",
      dependencies: [
        "ParallaxBase", "ParallaxTool", "ParallaxMotion", "ParallaxTrace", "ParallaxProtocol",
        "ParallaxAnimation", "ParallaxDocuments", "ParallaxConfig", "ParallaxLoop",
        "ParallaxDevice", "ParallaxGates", "ParallaxClient", "CTerminal", "ParallaxTestSupport",
      ],
      exclude: ["Commands/Sessions/Files", "View/Golden"]),
    .testTarget(
      name: "RepositoryTests", dependencies: ["ParallaxBase", "ParallaxTestSupport"]),
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
        "CAllocationCount", "ParallaxBase", "ParallaxConfig", "ParallaxDaemon", "ParallaxLoop",
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
      name: "ConformanceDriver", dependencies: ["ParallaxClient", "ParallaxProtocol"],
      path: "Tests/Conformance/Swift"))
}

// Only `make fuzz` builds these: libFuzzer supplies their main.
if Context.environment["PARALLAX_FUZZ"] != nil {
  package.targets += [
    .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer", "CSystemd", "ParallaxBase", "ParallaxMotion", "ParallaxTrace",
        "ParallaxProtocol", "ParallaxAnimation", "ParallaxDocuments", "ParallaxConfig",
        "ParallaxLoop", "ParallaxDevice", "ParallaxGates", "ParallaxDaemon", "ParallaxClient",
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
