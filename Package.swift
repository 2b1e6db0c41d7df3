// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "parallax",
  products: [
    .executable(name: "parallaxd", targets: ["parallaxd"]),
    .executable(name: "parallax", targets: ["parallax"]),
    .library(name: "ParallaxClient", targets: ["ParallaxClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // C libraries and the thin shims over them. One per room that uses it.
    .systemLibrary(
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CLibIIO"),
    .target(name: "CNumber"),
    .target(name: "CToml"),

    // One way through: trace or sensor -> motion -> wire -> socket.
    .target(name: "ParallaxMotion"),
    .target(name: "ParallaxAnimation", dependencies: ["ParallaxMotion"]),
    .target(name: "ParallaxTrace", dependencies: ["ParallaxMotion", "CNumber"]),
    .target(name: "ParallaxWire", dependencies: ["ParallaxMotion"]),
    .target(name: "ParallaxJSON", dependencies: ["CJansson"]),
    .target(
      name: "ParallaxDocuments",
      dependencies: ["ParallaxAnimation", "ParallaxJSON", "ParallaxMotion"]),
    .target(name: "ParallaxConfig", dependencies: ["ParallaxMotion", "CToml"]),
    .target(name: "ParallaxDevice", dependencies: ["ParallaxMotion", "CLibIIO"]),
    .target(name: "ParallaxSystem", dependencies: ["CSystemd"]),
    .target(name: "ParallaxGates", dependencies: ["ParallaxMotion", "ParallaxSystem"]),
    .target(
      name: "ParallaxDaemon",
      dependencies: [
        "ParallaxMotion", "ParallaxTrace", "ParallaxWire", "ParallaxJSON", "ParallaxConfig",
        "ParallaxDevice", "ParallaxSystem", "ParallaxGates", "ParallaxAnimation",
        "ParallaxDocuments",
      ]),
    .executableTarget(name: "parallaxd", dependencies: ["ParallaxDaemon"]),

    // The tools and the library for other programs.
    .target(name: "ParallaxClient", dependencies: ["ParallaxWire"]),
    .target(
      name: "ParallaxCommands",
      dependencies: [
        "ParallaxClient", "ParallaxWire", "ParallaxMotion", "ParallaxTrace", "ParallaxConfig",
        "ParallaxDevice", "ParallaxSystem", "ParallaxGates", "ParallaxAnimation",
        "ParallaxDocuments",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "parallax", dependencies: ["ParallaxCommands"]),

    // Tests mirror targets.
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .target(
      name: "ParallaxTestSupport",
      dependencies: ["CAllocationCount", "CSystemd", "ParallaxSystem"],
      path: "Tests/ParallaxTestSupport"),
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
    .testTarget(name: "ParallaxJSONTests", dependencies: ["ParallaxJSON", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxConfigTests", dependencies: ["ParallaxConfig", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDeviceTests",
      dependencies: ["ParallaxDevice", "ParallaxMotion", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxSystemTests", dependencies: ["ParallaxSystem", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxGatesTests",
      dependencies: ["ParallaxGates", "ParallaxSystem", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxDaemonTests",
      dependencies: [
        "ParallaxDaemon", "ParallaxMotion", "ParallaxTrace", "ParallaxWire", "ParallaxJSON",
        "ParallaxConfig", "ParallaxGates", "ParallaxSystem", "ParallaxClient",
        "ParallaxAnimation", "ParallaxDocuments",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "ParallaxClientTests", dependencies: ["ParallaxClient", "ParallaxTestSupport"]),
    .testTarget(
      name: "ParallaxCommandsTests",
      dependencies: [
        "ParallaxCommands", "ParallaxClient", "ParallaxConfig", "ParallaxDevice", "ParallaxMotion",
        "ParallaxSystem", "ParallaxWire", "ParallaxAnimation", "ParallaxDocuments",
        "ParallaxTestSupport",
      ]),
    .testTarget(
      name: "HouseTests", dependencies: ["ParallaxTestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx20
)

// `make fuzz` alone builds these: libFuzzer's main is no part of the ordinary build.
if Context.environment["PARALLAX_FUZZ"] != nil {
  package.targets += [
    .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "FuzzTrace", dependencies: ["CFuzzer", "ParallaxTrace", "ParallaxMotion"],
      path: "Fuzz/FuzzTrace"),
    .executableTarget(
      name: "FuzzDocument", dependencies: ["CFuzzer", "ParallaxDocuments", "ParallaxAnimation"],
      path: "Fuzz/FuzzDocument"),
    .executableTarget(
      name: "FuzzSocket",
      dependencies: ["CFuzzer", "ParallaxDaemon", "ParallaxConfig", "ParallaxSystem"],
      path: "Fuzz/FuzzSocket"),
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
    target.cxxSettings = [.treatAllWarnings(as: .error)]
  }
}
