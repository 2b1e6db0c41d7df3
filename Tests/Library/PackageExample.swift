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
