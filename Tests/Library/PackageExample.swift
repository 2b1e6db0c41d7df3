// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// scripts/test-library copies this to a folder of its own, with the path of this repository.
let package = Package(
  name: "bouncing",
  dependencies: [.package(name: "parallax", path: "../parallax")],
  targets: [
    .executableTarget(
      name: "bouncing",
      dependencies: [
        .product(name: "ParallaxAnimation", package: "parallax"),
        .product(name: "ParallaxDocuments", package: "parallax"),
        .product(name: "ParallaxClient", package: "parallax"),
      ],
      swiftSettings: [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

// The examples of docs/from-ios.md, in a program that needs an older release of the tools' command-line parser.
package.dependencies.append(
  .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.5.0"))
package.targets.append(
  .executableTarget(
    name: "from-ios",
    dependencies: package.targets[0].dependencies + [
      .product(name: "ArgumentParser", package: "swift-argument-parser")
    ],
    swiftSettings: package.targets[0].swiftSettings))
