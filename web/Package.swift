// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The programs that use a network. They are a separate package, which keeps the daemon's package
// small and quick to build: only this one depends on SwiftNIO, Hummingbird and async-http-client.
// parallax-web relays the daemon's lines and runs commands of `parallax`; it needs none of its modules.
let package = Package(
  name: "parallax-web",
  products: [
    .executable(name: "parallax-web", targets: ["parallax-web"]),
    .executable(name: "parallax-provider", targets: ["parallax-provider"]),
  ],
  dependencies: [
    // Without its traits, it needs neither full Foundation nor swift-configuration.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // The rules, the cache and the folder; no network.
    .target(name: "ParallaxWebCore"),
    .systemLibrary(name: "CQREncode"),
    .executableTarget(
      name: "parallax-web",
      dependencies: [
        "ParallaxWebCore", "CQREncode",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .executableTarget(
      name: "parallax-provider",
      dependencies: [
        "ParallaxWebCore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(name: "ParallaxWebCoreTests", dependencies: ["ParallaxWebCore"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
