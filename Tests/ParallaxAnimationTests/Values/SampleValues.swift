// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

@testable import ParallaxAnimation

/// A type of values for which the laws of animations hold, made of numbers and taken apart into them.
protocol SampleValue: Animatable {
  /// The number of its numbers.
  static var count: Int { get }
  /// How far apart equal numbers may be, relative to 100.
  static var tolerance: Double { get }
  init(_ numbers: [Double])
  var numbers: [Double] { get }
}

extension SampleValue {
  static var tolerance: Double { 1e-9 }
}

/// All types for which they hold.
let sampleValues: [any SampleValue.Type] = [
  Double.self, Float.self, SIMD2<Double>.self, SIMD3<Float>.self, SIMD4<Double>.self,
  PixelOffset.self, PixelSize.self, LinearColor.self, Pose.self, Camera.self,
]

/// A type of a program, with the three members that a type needs and nothing else.
struct Camera: Animatable {
  var pan = 0.0
  var zoom = 0.0
  static let zero = Camera()
  static func + (left: Camera, right: Camera) -> Camera {
    Camera(pan: left.pan + right.pan, zoom: left.zoom + right.zoom)
  }
  func scaled(by factor: Double) -> Camera {
    Camera(pan: pan * factor, zoom: zoom * factor)
  }
}

extension Camera: SampleValue {
  static var count: Int { 2 }
  init(_ numbers: [Double]) { self.init(pan: numbers[0], zoom: numbers[1]) }
  var numbers: [Double] { [pan, zoom] }
}

extension Double: SampleValue {
  static var count: Int { 1 }
  init(_ numbers: [Double]) { self = numbers[0] }
  var numbers: [Double] { [self] }
}

extension Float: SampleValue {
  static var count: Int { 1 }
  static var tolerance: Double { 1e-3 }
  init(_ numbers: [Double]) { self = Float(numbers[0]) }
  var numbers: [Double] { [Double(self)] }
}

extension SIMD2: SampleValue where Scalar == Double {
  static var count: Int { 2 }
  init(_ numbers: [Double]) { self.init(numbers[0], numbers[1]) }
  var numbers: [Double] { [x, y] }
}

extension SIMD3: SampleValue where Scalar == Float {
  static var count: Int { 3 }
  static var tolerance: Double { 1e-3 }
  init(_ numbers: [Double]) { self.init(numbers.map { Float($0) }) }
  var numbers: [Double] { [x, y, z].map { Double($0) } }
}

extension SIMD4: SampleValue where Scalar == Double {
  static var count: Int { 4 }
  init(_ numbers: [Double]) { self.init(numbers[0], numbers[1], numbers[2], numbers[3]) }
  var numbers: [Double] { [x, y, z, w] }
}

extension PixelOffset: SampleValue {
  static var count: Int { 2 }
  init(_ numbers: [Double]) { self.init(x: numbers[0], y: numbers[1]) }
  var numbers: [Double] { [x, y] }
}

extension PixelSize: SampleValue {
  static var count: Int { 2 }
  init(_ numbers: [Double]) { self.init(width: numbers[0], height: numbers[1]) }
  var numbers: [Double] { [width, height] }
}

extension LinearColor: SampleValue {
  static var count: Int { 4 }
  init(_ numbers: [Double]) {
    self.init(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3])
  }
  var numbers: [Double] { [red, green, blue, alpha] }
}

extension Pose: SampleValue {
  static var count: Int { PoseChannel.allCases.count }
  init(_ numbers: [Double]) {
    self = .zero
    for (channel, number) in zip(PoseChannel.allCases, numbers) { self[channel] = number }
  }
  var numbers: [Double] { PoseChannel.allCases.map { self[$0] } }
}
