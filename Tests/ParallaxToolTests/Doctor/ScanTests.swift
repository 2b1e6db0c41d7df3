// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

@Suite("Scans of /proc and /sys", .timeLimit(.minutes(10)))
struct ScanTests {
  @Test func whoHasTheNodeOpen() throws {
    let folder = try TemporaryFolder()
    for (process, program, target) in [
      (17, "iiod", "/dev/iio:device0"), (18, "cat", "/dev/null"), (19, "sh", "/dev/iio:device01"),
    ] {
      try folder.write("\(program)\n", to: "\(process)/comm")
      try folder.makeFolder("\(process)/fd")
      symlink("/dev/null", folder("\(process)/fd/0"))
      symlink(target, folder("\(process)/fd/3"))
    }
    try folder.write("", to: "uptime")
    let scan = ProcessScan.holders(of: "/dev/iio:device0", procRoot: folder.path)
    #expect(scan.holders == [DoctorFacts.Holder(process: 17, program: "iiod")])
    #expect(scan.sawEverything)
  }

  @Test func theRealProcIsRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "node")
    let sleeper = try Program(path: "/bin/sh").start([
      "-c", "exec 3<\"$0\"; echo; exec sleep 60", path,
    ])
    _ = try sleeper.nextLine()
    let holders = ProcessScan.holders(of: path).holders
    #expect(holders.contains { $0.process == sleeper.processID })
    sleeper.send(signal: SIGKILL)
    _ = try sleeper.finish()
  }

  @Test func gyroscopesWithoutADriver() throws {
    let folder = try TemporaryFolder()
    for (path, name, alias, driver) in [
      ("platform/devices/HID-SENSOR-200076.2.auto", nil, "platform:HID-SENSOR-200076", false),
      ("platform/devices/HID-SENSOR-200073.1.auto", nil, "platform:HID-SENSOR-200073", false),
      ("i2c/devices/1-0068", "mpu6050", "i2c:mpu6050", false),
      ("i2c/devices/1-0069", "bmi160", "i2c:bmi160", true),
      ("i2c/devices/1-0050", "24c02", "i2c:24c02", false),
    ] {
      try folder.write("\(alias)\n", to: "bus/\(path)/modalias")
      if let name { try folder.write("\(name)\n", to: "bus/\(path)/name") }
      if driver { symlink("../../drivers/x", folder("bus/\(path)/driver")) }
    }
    let kernel = KernelScan.kernel(sysRoot: folder.path)
    #expect(!kernel.hasIIO)
    #expect(kernel.driverless.map(\.device) == ["HID-SENSOR-200076.2.auto", "mpu6050"])
    #expect(
      kernel.driverless.map(\.module) == ["'platform:HID-SENSOR-200076'", "'i2c:mpu6050'"])
  }

  @Test func placesOfGyroscopes() throws {
    let folder = try TemporaryFolder()
    #expect(SensorScan.places(sysRoot: folder.path, modulesFolder: folder.path) == SensorPlaces())
    for (path, text) in [
      ("class/dmi/id/sys_vendor", "LENOVO"), ("class/dmi/id/product_name", "20X3"),
      ("class/dmi/id/product_version", "ThinkPad"), ("bus/acpi/devices/BMI0160:00/hid", "bmi0160"),
      ("bus/acpi/devices/PNP0C09:00/hid", "PNP0C09"), ("module/bmi160_i2c/initstate", "live"),
      ("module/snd/initstate", "live"), ("modules.dep", "kernel/drivers/iio/x.ko: y.ko"),
      ("bus/platform/devices/HID-SENSOR-200073.1.auto/modalias", "a"),
      ("bus/platform/devices/HID-SENSOR-200076.2.auto/modalias", "b"),
      ("bus/hid/drivers/hid-sensor-hub/0018:0483:91D1.0001/x", ""),
      ("bus/hid/drivers/hid-sensor-hub/new_id", ""),
    ] {
      try folder.write(text + "\n", to: path)
    }
    var places = SensorPlaces()
    places.machine = "LENOVO 20X3 ThinkPad"
    places.hubs = ["0018:0483:91D1.0001"]
    places.hubSensors = ["accelerometer", "gyrometer"]
    places.firmware = [.init(id: "BMI0160", module: "bmi160_i2c")]
    places.loaded = ["bmi160_i2c"]
    places.hasHubModule = false
    #expect(SensorScan.places(sysRoot: folder.path, modulesFolder: folder.path) == places)
    try folder.write("kernel/hid-sensor-gyro-3d.ko.xz:\n", to: "modules.dep")
    #expect(SensorScan.places(sysRoot: folder.path, modulesFolder: folder.path).hasHubModule)
  }
}
