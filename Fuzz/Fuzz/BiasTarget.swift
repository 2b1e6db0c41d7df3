// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxDevice
import ParallaxMotion

/// Random bytes as the bias file, and random devices. What was read or made, printed and read again, is
/// the same.
enum BiasTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    do throws(BiasFile.ParseError) {
      checkPrinted(try BiasFile.parse(Array(bytes)))
    } catch {
      require(error.line > 0 && !error.message.isEmpty, "refused without a place or a reason")
    }
    var draw = Draw(bytes)
    var devices: [StoredBias] = []
    while !draw.isAtEnd, devices.count < BiasFile.maxDevices {
      let device = StoredBias(
        name: draw.text(atMost: 40), parentPath: draw.text(atMost: 40),
        bias: AngularRate(x: rate(&draw), y: rate(&draw), z: rate(&draw)))
      let isKnown = devices.contains {
        $0.name == device.name && $0.parentPath == device.parentPath
      }
      if !isKnown { devices.append(device) }
    }
    checkPrinted(devices)
  }

  private static func rate(_ draw: inout Draw) -> Double {
    let value = draw.double()
    return value.magnitude <= BiasFile.limitRadPerSec ? value : 0
  }

  private static func checkPrinted(_ devices: [StoredBias]) {
    do throws(BiasFile.ParseError) {
      let again = try BiasFile.parse(Array(BiasFile.text(devices).utf8))
      require(again == devices, "reads back as other devices")
    } catch {
      fatalError("does not read back: line \(error.line): \(error.message)")
    }
  }
}
