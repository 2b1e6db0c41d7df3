// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDevice

/// IIO devices of the kernel other than working gyroscopes.
enum KernelScan {
  /// - Parameter sysRoot: The mount point of sysfs; tests use another folder.
  static func kernel(sysRoot: String = "/sys") -> DoctorFacts.Kernel {
    DoctorFacts.Kernel(
      hasIIO: access("\(sysRoot)/bus/iio", F_OK) == 0, driverless: driverless(sysRoot: sysRoot))
  }

  /// Returns every IIO device that is not a trigger.
  static func devices(sysRoot: String = "/sys") -> [(id: String, name: String)] {
    let folder = "\(sysRoot)/bus/iio/devices"
    return SysfsFiles.names(in: folder).filter { $0.hasPrefix("iio:device") }
      .map { ($0, SmallFile.text("\(folder)/\($0)/name") ?? $0) }
  }

  /// Returns the gyroscopes on a bus that have no driver.
  private static func driverless(sysRoot: String) -> [DoctorFacts.Driverless] {
    var found: [DoctorFacts.Driverless] = []
    for bus in ["platform", "i2c", "spi"] {
      let folder = "\(sysRoot)/bus/\(bus)/devices"
      for device in SysfsFiles.names(in: folder)
      where SysfsFiles.linkTarget("\(folder)/\(device)/driver") == nil {
        let name = bus == "platform" ? device : SmallFile.text("\(folder)/\(device)/name") ?? ""
        guard let alias = SmallFile.text("\(folder)/\(device)/modalias") else { continue }
        let isKnown = known.contains { name.lowercased().hasPrefix($0) }
        if isKnown { found.append(DoctorFacts.Driverless(device: name, module: "'\(alias)'")) }
      }
    }
    return found
  }

  /// How the names of gyroscopes on a bus begin. From the id tables of the drivers in Linux's
  /// drivers/iio/gyro, drivers/iio/imu and drivers/iio/common/cros_ec_sensors; 200076 is the gyrometer
  /// of HID sensors.
  private static let known = [
    "hid-sensor-200076", "cros-ec-gyro", "bmg160", "bmi088_gyro", "bmi0160", "bmi160", "bmi260",
    "bmi270", "bmi323", "fxas21002c", "icm20", "icm42", "icm45", "invn6500", "itg3200", "l3g4200d",
    "l3gd20", "lsm6ds", "lsm9ds1-imu", "lsm330_gyro", "mpu3050", "mpu6", "mpu9", "smi240", "smi330",
  ]
}

/// The processes that have a device node open.
enum ProcessScan {
  /// - Parameter procRoot: The mount point of /proc; tests use another folder.
  static func holders(
    of node: String, procRoot: String = "/proc"
  ) -> (holders: [DoctorFacts.Holder], sawEverything: Bool) {
    var holders: [DoctorFacts.Holder] = []
    var sawEverything = true
    for name in SysfsFiles.names(in: procRoot) {
      guard let process = Int32(name), process != getpid() else { continue }
      let folder = "\(procRoot)/\(name)/fd"
      // A process that has just ended is not hidden, just gone.
      if access(folder, R_OK | X_OK) != 0 && errno == EACCES { sawEverything = false }
      let isHolder = SysfsFiles.names(in: folder).contains {
        SysfsFiles.linkTarget("\(folder)/\($0)") == node
      }
      if isHolder {
        let program = SmallFile.text("\(procRoot)/\(name)/comm") ?? "a program"
        holders.append(DoctorFacts.Holder(process: process, program: program))
      }
    }
    return (holders, sawEverything)
  }
}

/// The user of this process and the groups.
enum UserFacts {
  static var name: String {
    guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
      return "uid \(geteuid())"
    }
    return String(cString: name)
  }

  /// Returns the group of the node if it is not root's and may read and write the node.
  static func group(ofNode node: String, settings: [String]) -> DoctorFacts.NodeGroup? {
    var status = stat()
    guard stat(node, &status) == 0, status.st_gid != 0, status.st_mode & 0o060 == 0o060,
      let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name
    else { return nil }
    let group = String(cString: name)
    let number = status.st_gid
    let covers = settings.allSatisfy { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_gid == number && status.st_mode & 0o020 != 0
    }
    return DoctorFacts.NodeGroup(
      name: group, isOfProcess: processGroups.contains(number),
      isOfUser: loginGroups.contains(number),
      coversSettings: covers)
  }

  /// Returns a group that an entry in the access list of an input device permits to read it. The node's own
  /// group, `input`, is not offered, because its members can also read keyboards.
  static func group(readingNode node: String) -> DoctorFacts.NodeGroup? {
    for number in AccessList.readingGroups(of: node) {
      guard let entry = getgrgid(number), let name = entry.pointee.gr_name else { continue }
      return DoctorFacts.NodeGroup(
        name: String(cString: name), isOfProcess: processGroups.contains(number),
        isOfUser: loginGroups.contains(number), coversSettings: true)
    }
    return nil
  }

  /// The groups of this process.
  private static var processGroups: [gid_t] {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return [getegid()] + groups.prefix(Int(max(0, count)))
  }

  /// The groups of this user after the next login.
  private static var loginGroups: [gid_t] {
    guard let entry = getpwuid(geteuid()) else { return [] }
    var count: Int32 = 256
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(entry.pointee.pw_name, entry.pointee.pw_gid, &groups, &count) >= 0 else {
      return []
    }
    return Array(groups.prefix(Int(count)))
  }
}
