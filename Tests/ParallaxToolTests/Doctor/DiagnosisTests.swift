// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxProtocol
import Testing

@testable import ParallaxTool

@Suite("Diagnosis of the gyroscope and the daemon")
struct DiagnosisTests {
  /// A working gyroscope that the user may use, and no daemon.
  private static var healthy: DoctorFacts {
    var facts = DoctorFacts()
    facts.user = DoctorFacts.User(name: "ada", isRoot: false)
    facts.search = .found([gyro])
    facts.device = DoctorFacts.Device(module: "hid_sensor_gyro_3d")
    facts.stream = DoctorFacts.StreamAnswer(path: "/run/p.sock", outcome: .absent(why: "not there"))
    return facts
  }

  private static var gyro: GyroDescription {
    GyroDescription(
      id: "iio:device0", name: "gyro_3d", parentPath: "/devices/hid", driver: "hid_sensor_gyro_3d",
      scale: 0.001, rate: 10, mountMatrix: .rotation(.identity),
      trigger: .current(name: "gyro_3d-dev0"), hasBuffer: true)
  }

  private static func facts(_ change: (inout DoctorFacts) -> Void) -> DoctorFacts {
    var facts = healthy
    change(&facts)
    return facts
  }

  private static func facts(gyro change: (inout GyroDescription) -> Void) -> DoctorFacts {
    var gyro = gyro
    change(&gyro)
    var facts = healthy
    facts.search = .found([gyro])
    return facts
  }

  private static func status(_ state: DeviceMessage.State, _ reason: String? = nil) -> StatusMessage
  {
    StatusMessage(
      release: "0.1.0", uptime: 0,
      device: DeviceMessage(
        driver: "iio", name: "gyro_3d", state: state, rateHertz: nil, reason: reason),
      measuredRateHertz: nil, gate: GateMessage(open: true, gain: 1, reasons: []),
      orientation: .normal, orientationSource: .builtIn,
      bias: StatusMessage.BiasStatus(isAuto: true, estimate: nil), subscribers: 0, frames: 0,
      drops: StatusMessage.DropCounts(), latency: .none(reason: ""))
  }

  @Test func nothingIsWrong() {
    let diagnosis = Self.healthy.diagnosis
    #expect(diagnosis.verdict == .works && diagnosis.worst == .note && diagnosis.firstStep == nil)
    #expect(
      diagnosis.findings == [
        .ok("libiio", "0.24"), .ok("kernel", "supports IIO"),
        .ok("device", "gyro_3d (iio:device0): the only one"),
        .ok("driver", "hid_sensor_gyro_3d, module hid_sensor_gyro_3d"),
        .ok("scale", "0.001 rad/s"), .ok("matrix", "1,0,0;0,1,0;0,0,1"),
        .ok("trigger", "gyro_3d-dev0"),
        .ok("rate", "10 Hz now; 30 Hz needed, 120 Hz will be requested"),
        .ok("access", "ada may use /dev/iio:device0 and its settings"),
        .ok("held by", "no program"),
        .note("daemon", "not running at /run/p.sock; 'parallax run' starts it"),
      ])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var facts: DoctorFacts
    var verdict: Diagnosis.Verdict
    /// The check, and parts of its finding.
    var check: String
    var level: Finding.Level
    var says: [String]
    /// A part of the first step.
    var firstStep: String?

    init(
      _ name: String, _ facts: DoctorFacts, verdict: Diagnosis.Verdict = .works, _ check: String,
      _ level: Finding.Level, _ says: [String], first: String? = nil
    ) {
      testDescription = name
      self.facts = facts
      self.verdict = verdict
      self.check = check
      self.level = level
      self.says = says
      firstStep = first
    }
  }

  @Test(arguments: environment + contacts + properties + accesses + holders + daemons)
  func finding(of one: Case) throws {
    let diagnosis = one.facts.diagnosis
    #expect(diagnosis.verdict == one.verdict)
    let finding = try #require(diagnosis.findings.first { $0.check == one.check })
    #expect(finding.level == one.level)
    let line = finding.text + (finding.fix.map { "; \($0)" } ?? "")
    for part in one.says { #expect(line.contains(part), "\(part) in \(line)") }
    if let first = one.firstStep {
      #expect(diagnosis.firstStep?.contains(first) ?? false, "\(first) in \(diagnosis.findings)")
    } else {
      #expect(diagnosis.firstStep == nil, "\(diagnosis.findings)")
    }
    for finding in diagnosis.findings {
      #expect(!(finding.text + (finding.fix ?? "")).contains("\n"), "\(finding) is one line")
      if finding.level == .fail { #expect(finding.fix != nil, "\(finding) has a fix") }
    }
  }

  private static func hub(_ facts: inout DoctorFacts, sensors: [String]) {
    facts.search = .found([])
    facts.places.hubs = ["0018:0483:91D1.0001"]
    facts.places.hubSensors = sensors
  }

  // MARK: - The environment

  private static let environment = [
    Case(
      "no libiio", facts { $0.library = .failure(.none("libiio cannot be loaded (x)")) },
      verdict: .fails, "libiio", .fail, ["cannot be loaded (x)"],
      first: "sudo apt install libiio0"),
    Case(
      "nothing at all",
      facts {
        $0.search = .found([])
        $0.kernel.hasIIO = false
      }, verdict: .fails, "device", .fail, ["there is no gyroscope"], first: "tilt your phone"),
    Case(
      "no IIO", facts { ($0.search, $0.kernel.hasIIO) = (.found([]), false) }, verdict: .fails,
      "kernel", .warn, ["no IIO driver is loaded"], first: "tilt your phone"),
    Case(
      "the machine",
      facts {
        $0.search = .found([])
        $0.places.machine = "LENOVO 20X3 ThinkPad"
      }, verdict: .fails, "machine", .note, ["LENOVO 20X3 ThinkPad"], first: "tilt your phone"),
    Case(
      "nothing where it was looked for", facts { $0.search = .found([]) }, verdict: .fails,
      "looked at", .note,
      [
        "no HID sensor hub; no known gyroscope in the ACPI tables; no gyroscope module is loaded"
      ], first: "tilt your phone"),
    Case(
      "in the firmware",
      facts {
        $0.search = .found([])
        $0.places.firmware = [
          .init(id: "INVN6500", module: "inv_mpu6050_i2c"),
          .init(id: "BMI0260", module: "bmi270_i2c"),
        ]
        $0.places.loaded = ["inv_mpu6050_i2c"]
      }, verdict: .fails, "looked at", .note,
      [
        "ACPI: INVN6500 (module inv_mpu6050_i2c), BMI0260 (module bmi270_i2c); "
          + "modules: inv_mpu6050_i2c"
      ], first: "sudo modprobe bmi270_i2c"),
    Case(
      "in the sensor hub", facts { hub(&$0, sensors: ["accelerometer", "gyrometer"]) },
      verdict: .fails, "looked at", .note, ["the HID sensor hub has accelerometer, gyrometer;"],
      first: "sudo modprobe hid_sensor_gyro_3d"),
    Case(
      "in the sensor hub, without its module",
      facts {
        hub(&$0, sensors: ["gyrometer"])
        $0.places.hasHubModule = false
      }, verdict: .fails, "device", .fail, ["three axes"],
      first: "sudo apt install linux-modules-extra-$(uname -r)"),
    Case(
      "not in the sensor hub", facts { hub(&$0, sensors: ["ambient light"]) }, verdict: .fails,
      "looked at", .note, ["the HID sensor hub has ambient light;"], first: "tilt your phone"),
    Case(
      "a gyroscope without its driver",
      facts {
        $0.search = .found([])
        $0.kernel.otherDevices = ["accel_3d (iio:device1)"]
        $0.kernel.driverless = [
          DoctorFacts.Driverless(device: "HID-SENSOR-200076.2.auto", module: "'platform:HID'")
        ]
      }, verdict: .fails, "device", .fail, ["only accel_3d (iio:device1)"],
      first: "sudo modprobe 'platform:HID'"),
    Case(
      "not the requested one", facts { $0.configuration.source.device = "bmi160" },
      verdict: .fails, "device", .fail, ["named 'bmi160'", "gyro_3d (iio:device0)"],
      first: "source.device"),
    Case(
      "the better of two",
      facts {
        var other = gyro
        (other.id, other.location) = ("iio:device1", "lid")
        $0.search = .found([gyro, other])
      }, "device", .ok, ["(iio:device1) of 2 gyroscopes: it is at the display"]),
    Case(
      "a driver that hangs", facts { $0.search = .silent(seconds: 15) }, verdict: .fails,
      "device", .fail, ["has not answered for 15 s"], first: "unplug the sensor"),
    Case(
      "another machine that does not answer",
      facts {
        $0.configuration.source.uri = "ip:10.0.0.1"
        $0.search = .failed(.none("ip:10.0.0.1 cannot be opened: timed out"))
      }, verdict: .fails, "device", .fail, ["ip:10.0.0.1 cannot be opened"], first: "source.uri"),
    Case(
      "another machine's",
      facts {
        $0.configuration.source.uri = "ip:10.0.0.1"
        $0.device = nil
      }, "access", .ok, ["the remote machine"]),
    Case(
      "a configuration with another source", facts { $0.configuration.source.kind = .trace },
      "source", .warn, ["source.kind is \"trace\""], first: "source.kind"),
  ]

  // MARK: - No gyroscope, and controllers

  private static var pad: GyroDescription {
    GyroDescription(
      id: "event7", interface: .evdev, name: "DualSense Motion Sensors", parentPath: "/devices/hid",
      driver: "playstation", scale: 0.001, mountMatrix: .rotation(.identity), trigger: .notNeeded,
      hasBuffer: true)
  }

  /// A controller and nothing else.
  private static func pad(
    _ kind: SourceKind, mayRead: Bool = true, group: DoctorFacts.NodeGroup? = nil,
    _ change: (inout DoctorFacts) -> Void = { _ in }
  ) -> DoctorFacts {
    facts {
      var pad = pad
      if !mayRead {
        pad.access = GyroAccess(node: false, refusedSettings: [], raw: false)
        pad.scale = nil
      }
      $0.configuration.source.kind = kind
      $0.search = .found([pad])
      $0.device = DoctorFacts.Device(group: group, module: "hid_playstation")
      change(&$0)
    }
  }

  private static func nothing(
    _ kind: SourceKind, _ change: (inout DoctorFacts) -> Void = { _ in }
  ) -> DoctorFacts {
    facts {
      ($0.configuration.source.kind, $0.search, $0.device) = (kind, .found([]), nil)
      change(&$0)
    }
  }

  /// A daemon that another program or synthetic motion moves.
  private static func served(_ driver: String, _ name: String) -> (inout DoctorFacts) -> Void {
    {
      var status = status(.streaming)
      (status.device.driver, status.device.name) = (driver, name)
      $0.daemon = .running(status)
      $0.stream.outcome = .greeted
    }
  }

  private static let contacts = [
    Case(
      "the phone, for a sensor's daemon", nothing(.iio), verdict: .fails, "phone", .note,
      ["tilt your phone: parallax phone, if source.kind is \"gyroscope\""],
      first: "set source.kind to \"gyroscope\" and tilt your phone: parallax phone"),
    Case(
      "the phone", nothing(.automatic), "phone", .note, ["tilt your phone: parallax phone"],
      first: "tilt your phone: parallax phone"),
    Case(
      "synthetic motion", nothing(.automatic), "device", .warn,
      ["no gyroscope with three axes: synthetic motion takes its place"], first: "parallax phone"),
    Case(
      "a program", nothing(.automatic), "program", .note,
      ["send samples from a program: parallax feed"], first: "parallax phone"),
    Case(
      "no controller", nothing(.evdev), verdict: .fails, "device", .fail,
      ["no controller with a gyroscope was found"], first: "source.kind to \"gyroscope\""),
    Case(
      "which controllers", nothing(.automatic), "controller", .note, ["DualSense", "Joy-Con"],
      first: "parallax phone"),
    Case(
      "a phone feeds the daemon", nothing(.automatic, served("feed", "Pixel 8")), "device", .note,
      ["no gyroscope with three axes; the daemon's source is feed Pixel 8"]),
    Case(
      "a synthetic daemon beside a configuration with a sensor",
      nothing(.iio, served("synthetic", "seed 1")), "device", .note,
      ["the daemon's source is synthetic seed 1"]),
    Case(
      "a configuration that waits for a program", nothing(.feed), "source", .note,
      ["source.kind is \"feed\"", "parallax phone"]),
    Case(
      "a daemon that waits for a program",
      nothing(.feed) {
        var status = status(.none, "no program sends samples")
        status.device.driver = "feed"
        ($0.daemon, $0.stream.outcome) = (.running(status), .greeted)
      }, "daemon", .note, ["none: no program sends samples"]),
    Case(
      "a controller that auto takes", pad(.automatic), "device", .ok,
      ["DualSense Motion Sensors (event7): the only one"]),
    Case("its module", pad(.evdev), "driver", .ok, ["playstation, module hid_playstation"]),
    Case("its rate", pad(.evdev), "rate", .ok, ["cannot be changed"]),
    Case("it may be read", pad(.evdev), "access", .ok, ["ada may read /dev/input/event7"]),
    Case(
      "a controller that source.kind leaves out", pad(.iio), verdict: .fails, "device", .fail,
      ["a controller was found: DualSense Motion Sensors (event7), but source.kind is \"iio\""],
      first: "put the lines below into the configuration"),
    Case(
      "it may not be read either", pad(.iio, mayRead: false), verdict: .fails, "access", .fail,
      ["ada may not read /dev/input/event7", "put the rule below into /etc/udev/rules.d"],
      first: "put the lines below into the configuration"),
    Case(
      "a controller of the daemon alone", pad(.iio, served("evdev", "DualSense")), "device", .note,
      ["the daemon's source is evdev DualSense"]),
    Case(
      "no rule for controllers", pad(.automatic, mayRead: false), verdict: .needsPermission,
      "access", .fail, ["ada may not read /dev/input/event7"], first: "put the rule below"),
    Case(
      "not in the group of the rule", pad(.automatic, mayRead: false, group: group()),
      verdict: .needsPermission, "access", .fail, ["ada may not read"],
      first: "sudo adduser ada sensors, then log in again"),
    Case(
      "in the group of the rule after the next login",
      pad(.automatic, mayRead: false, group: group(isOfUser: true)), verdict: .needsPermission,
      "access", .fail, ["ada may not read"], first: "log in again; then ada is in the group sensors"
    ),
    Case(
      "the daemon reads the controller",
      pad(.automatic, mayRead: false, served("evdev", "DualSense")), "access", .note,
      ["but the daemon does"]),
    Case(
      "no libiio, and a controller",
      pad(.automatic) { $0.library = .failure(.none("libiio cannot be loaded (x)")) }, "device",
      .ok, ["the only one"]),
  ]

  @Test func theConfigurationOfAControllerIsReadyToPaste() throws {
    let finding = try #require(Self.pad(.iio).diagnosis.findings.first { $0.check == "device" })
    #expect(
      finding.attachment == """
        # ~/.config/parallax/parallax.toml, or for the service /etc/parallax/parallax.toml
        [source]
        kind = "evdev"
        """)
  }

  // MARK: - Properties of the gyroscope

  private static let properties = [
    Case(
      "no scale", facts(gyro: { $0.scale = nil }), verdict: .fails, "scale", .fail, ["no unit"],
      first: "another gyroscope"),
    Case(
      "a mirrored matrix", facts(gyro: { $0.mountMatrix = .refused(text: "-1", why: "mirrors") }),
      "matrix", .warn, ["'-1' is ignored: mirrors"], first: "--calibrate"),
    Case(
      "no matrix", facts(gyro: { $0.mountMatrix = .absent }), "matrix", .note, ["--calibrate"]),
    Case(
      "the configuration's matrix",
      facts {
        $0.configuration.motion.mountMatrix = .identity
        $0.search = .found([
          GyroDescription(
            id: "iio:device0", name: "a", scale: 1, mountMatrix: .refused(text: "x", why: "y"),
            trigger: .notNeeded, hasBuffer: true)
        ])
      }, "matrix", .ok, ["1,0,0;0,1,0;0,0,1, from the configuration"]),
    Case(
      "no trigger", facts(gyro: { $0.trigger = .none }), "trigger", .warn, ["polled"]),
    Case("no buffer", facts(gyro: { $0.hasBuffer = false }), "trigger", .warn, ["polled"]),
    Case(
      "a queue without a trigger", facts(gyro: { $0.trigger = .notNeeded }), "trigger", .ok,
      ["not needed"]),
    Case(
      "0 Hz", facts(gyro: { $0.rate = nil }), "rate", .ok, ["none set now", "120 Hz will be"]),
    Case(
      "the next rate up", facts(gyro: { $0.availableRates = .list([25, 50, 100]) }), "rate", .ok,
      ["30 Hz needed, 100 Hz will be requested"]),
    Case(
      "more samples, if they are asked for", facts { $0.configuration.sampling.oversample = 3 },
      "rate", .ok,
      ["90 Hz needed, 90 Hz will be"]),
    Case(
      "tilt mode does not poll more",
      facts {
        var polled = gyro
        polled.trigger = .none
        $0.configuration.motion.mode = .tilt
        $0.search = .found([polled])
      }, "rate", .ok, ["30 Hz needed"]),
    Case(
      "too slow",
      facts {
        var slow = gyro
        slow.availableRates = .list([10, 20])
        $0.configuration.sampling.oversample = 2
        $0.search = .found([slow])
      }, "rate", .warn, ["60 Hz needed, 20 Hz", "it has no higher rate"],
      first: "lower sampling.rate"),
  ]

  // MARK: - Access

  private static let refused = ["buffer/enable", "buffer/length"]

  private static func group(
    isOfProcess: Bool = false, isOfUser: Bool = false, coversSettings: Bool = true
  ) -> DoctorFacts.NodeGroup {
    DoctorFacts.NodeGroup(
      name: "sensors", isOfProcess: isOfProcess, isOfUser: isOfUser, coversSettings: coversSettings)
  }

  private static func denied(
    raw: Bool = true, group: DoctorFacts.NodeGroup? = nil, streams: Bool = false
  ) -> DoctorFacts {
    var facts = facts(gyro: {
      $0.access = GyroAccess(node: false, refusedSettings: refused, raw: raw)
    })
    facts.device?.group = group
    if streams { facts.daemon = .running(status(.streaming)) }
    if streams { facts.stream.outcome = .greeted }
    return facts
  }

  private static let accesses = [
    Case(
      "no rule", denied(), "access", .warn,
      [
        "ada may not use /dev/iio:device0 and 2 settings (buffer/enable, ...)", "it is polled",
        "put the rule below into /etc/udev/rules.d/70-parallax.rules", "log in again",
      ], first: "put the rule below"),
    Case(
      "not even raw values", denied(raw: false), verdict: .needsPermission, "access", .fail,
      ["its raw values"], first: "put the rule below"),
    Case(
      "not in the group", denied(group: group()), "access", .warn,
      ["sudo adduser ada sensors, then log in again"], first: "sudo adduser ada sensors"),
    Case(
      "in the group after the next login", denied(group: group(isOfUser: true)), "access", .warn,
      ["then ada is in the group sensors"], first: "log in again"),
    Case(
      "a rule for the node alone", denied(group: group(isOfProcess: true, coversSettings: false)),
      "access", .warn, ["put the rule below"], first: "run the command below it"),
    Case(
      "the daemon may", denied(streams: true), "access", .note, ["but the daemon does"]),
    Case(
      "only polled, and denied",
      facts(gyro: {
        $0.trigger = .none
        $0.access = GyroAccess(node: false, refusedSettings: refused, raw: false)
      }), verdict: .needsPermission, "access", .fail, ["ada may not use its raw values"],
      first: "put the rule below"),
  ]

  @Test func theRuleIsReadyToPaste() throws {
    let finding = try #require(
      Self.denied().diagnosis.findings.first { $0.check == "access" })
    #expect(
      finding.attachment == """
        # /etc/udev/rules.d/70-parallax.rules
        ACTION!="remove", SUBSYSTEM=="iio", KERNEL=="iio:device*", TEST=="in_anglvel_x_raw", \
        GROUP="iio", MODE="0660", RUN+="/bin/sh -c 'cd /sys%p && for f in buffer/enable \
        buffer/length buffer/watermark scan_elements/*_en *sampling_frequency \
        current_timestamp_clock trigger/current_trigger; do [ ! -e $$f ] || set -- $$@ $$f; done; \
        [ $$# = 0 ] || { chgrp iio $$@ && chmod g+rw $$@; }'"

        # then
        sudo groupadd -f -r iio && sudo adduser ada iio && \
        sudo touch /etc/udev/rules.d/70-parallax.rules && sudo udevadm control --reload && \
        sudo udevadm trigger --action=add --subsystem-match=iio --settle
        """)
  }

  // MARK: - Holders

  private static func held(
    by programs: [String], isOn: Bool = true, seesEverything: Bool = true
  ) -> DoctorFacts {
    facts {
      $0.device?.bufferIsOn = isOn
      $0.device?.seesEveryProcess = seesEverything
      $0.device?.holders = programs.map { DoctorFacts.Holder(process: 42, program: $0) }
    }
  }

  private static let holders = [
    Case(
      "another program", held(by: ["iioprobe"]), verdict: .fails, "held by", .fail,
      ["iioprobe (process 42)"], first: "end iioprobe (process 42)"),
    Case("the daemon", held(by: ["parallaxd"]), "held by", .ok, ["parallaxd (process 42)"]),
    Case("left on", held(by: []), "held by", .note, ["left its buffer on, which is harmless"]),
    Case(
      "a program that this user cannot see", held(by: [], seesEverything: false), "held by", .warn,
      ["other users' programs"], first: "sudo parallax doctor"),
    Case(
      "no program that this user can see, buffer off",
      held(by: [], isOn: false, seesEverything: false), "held by",
      .ok, ["no program that this user can see"]),
    Case(
      "slow to poll",
      facts {
        var polled = gyro
        polled.trigger = .none
        $0.search = .found([polled])
        $0.device?.timing = .took(milliseconds: 45.26)
      }, "polling", .warn, ["reading three axes takes 45.3 ms"], first: "lower sampling.rate"),
    Case(
      "silent when polled",
      facts {
        var polled = gyro
        polled.trigger = .none
        $0.search = .found([polled])
        $0.device?.timing = .silent(seconds: 2)
      }, verdict: .fails, "polling", .fail, ["it does not answer", "no value within 2 s"],
      first: "modprobe -r hid_sensor_gyro_3d"),
  ]

  // MARK: - The daemon

  private static func daemon(
    _ answer: DoctorFacts.DaemonAnswer, _ stream: DoctorFacts.StreamAnswer.Outcome = .greeted
  ) -> DoctorFacts {
    facts {
      $0.daemon = answer
      $0.stream.outcome = stream
    }
  }

  private static let daemons = [
    Case(
      "streams", daemon(.running(status(.streaming))), "daemon", .ok,
      ["release 0.1.0, iio gyro_3d, streaming"]),
    Case(
      "polls because it lacks access",
      daemon(.running(status(.streaming, "polled: no access"))),
      "daemon", .warn, ["streaming: polled: no access"], first: "daemon's user"),
    Case("sleeps", daemon(.running(status(.idle))), "daemon", .ok, ["idle"]),
    Case(
      "may not", daemon(.running(status(.denied, "why"))), verdict: .needsPermission, "daemon",
      .fail,
      ["denied: why"], first: "the daemon's user"),
    Case(
      "lost it", daemon(.running(status(.lost, "unplugged"))), verdict: .fails, "daemon", .fail,
      ["lost: unplugged"], first: "tries again"),
    Case(
      "does not answer", daemon(.silent(seconds: 2)), verdict: .fails, "daemon", .fail,
      ["2 s"], first: "restart it"),
    Case(
      "does not admit this user", daemon(.refused("you are not admitted")),
      verdict: .needsPermission, "daemon",
      .fail, ["you are not admitted"], first: "log in"),
    Case(
      "its stream is open", daemon(.running(status(.streaming))), "sockets", .ok, ["/run/p.sock"]),
    Case(
      "its stream is closed", daemon(.running(status(.streaming)), .refused("no")),
      verdict: .needsPermission, "sockets", .fail, ["/run/p.sock: no"], first: "log in"),
    Case(
      "its stream has gone", daemon(.running(status(.streaming)), .absent(why: "not there")),
      verdict: .fails, "sockets", .fail, ["not there"], first: "restart the daemon"),
  ]
}
