// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// What draws on a desktop. A separate package, so that the daemon's needs neither Wayland nor images.
// scripts/desktop generates the code of the Wayland protocols, and passes its folder and those of
// GdkPixbuf's headers, which SwiftPM refuses from pkg-config, to the compiler.
let package = Package(
  name: "parallax-desktop",
  products: [.executable(name: "parallax-wallpaper", targets: ["parallax-wallpaper"])],
  dependencies: [
    .package(name: "parallax", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(name: "CWayland", linkerSettings: [.linkedLibrary("wayland-client")]),
    .target(
      name: "CPixbuf",
      linkerSettings: [
        .linkedLibrary("gdk_pixbuf-2.0"), .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"),
      ]),
    .target(name: "CDepthImage", linkerSettings: [.linkedLibrary("png16")]),
    .target(name: "CLinux"),
    // Documents, geometry and the decision to draw; no Wayland.
    .target(
      name: "ParallaxWallpaperCore",
      dependencies: [.product(name: "CToml", package: "parallax")]),
    .executableTarget(
      name: "parallax-wallpaper",
      dependencies: [
        "CWayland", "CPixbuf", "CDepthImage", "CLinux", "ParallaxWallpaperCore",
        .product(name: "ParallaxClient", package: "parallax"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "ParallaxWallpaperCoreTests", dependencies: ["ParallaxWallpaperCore"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}

// The loops over the pixels of a photo take a hundred times as long without optimization.
for target in package.targets where target.name == "ParallaxWallpaperCore" {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}
