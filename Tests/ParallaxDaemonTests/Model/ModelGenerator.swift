// SPDX-License-Identifier: Apache-2.0

/// Draws scripts: settings, then operations that mostly make sense.
package struct ModelGenerator {
  private var random: ModelRandom
  private var lastNumber = 0
  private var lastTag = 0
  /// The numbers of the clients that were connected, with whether they control.
  private var clients: [(number: Int, isControl: Bool)] = []

  package init(seed: UInt64) { random = ModelRandom(seed: seed) }

  package static func script(seed: UInt64, operations: Int) -> ModelScript {
    var generator = ModelGenerator(seed: seed)
    var script = ModelScript(
      settings: generator.settings(), rateHertz: generator.random.pick([30.3, 50, 100, 200, 400]))
    for _ in 0..<operations { script.operations.append(generator.operation()) }
    return script
  }

  // MARK: - Settings

  private mutating func settings() -> [String: String] {
    var settings = [
      "source.kind": "iio", "motion.bias": "off", "motion.smoothing": "none",
      "socket.control-users": "nora", "socket.control-group": "operators",
    ]
    for _ in 0..<random.below(6) {
      let (key, value) = setting()
      settings[key] = value
    }
    return settings
  }

  /// A key of the configuration file with a value; "" leaves the key out.
  private mutating func setting() -> (String, String) {
    switch random.below(14) {
    case 0, 1, 2: ("socket.access", random.pick(["all", "group", "session"]))
    case 3: ("socket.max-subscribers", random.pick(["2", "5", "256"]))
    case 4: ("socket.max-per-uid", random.pick(["1", "3", "32"]))
    case 5: ("sampling.rate", random.pick(["10", "30", "60", "90", "native"]))
    case 6: ("gates.fade", random.pick(["0", "0.3", "1"]))
    case 7: ("gates.reduced", random.pick(["still", "subtle"]))
    case 8: ("gates.reduce-motion", random.pick(["auto", "on", "off"]))
    case 9: ("gates.low-power", random.pick(["auto", "on", "off"]))
    case 10: ("socket.control-users", random.pick(["nora", ""]))
    case 11: ("socket.control-group", random.pick(["operators", ""]))
    case 12:
      random.chance(20)
        ? ("socket.seat", random.pick(["", "", "seat1"]))
        : ("source.device", random.pick(["gyro_3d", ""]))
    default:
      random.chance(30)
        ? ("source.kind", random.pick(["iio", "iio", "auto", "auto", "feed", "synthetic"]))
        : ("motion.mode", random.pick(["rate", "tilt"]))
    }
  }

  // MARK: - Operations

  private mutating func operation() -> ModelOperation {
    switch random.below(100) {
    case ..<26: .pass(milliseconds: random.pick([1, 3, 10, 16, 17, 33, 50, 100, 200]))
    case ..<28: .pass(milliseconds: random.pick([400, 1_000, 2_000]))
    case 28: time()
    case 29, 30: .stall(milliseconds: random.pick([20, 60, 150, 300, 1_000, 3_000]))
    case ..<36: subscribe()
    case ..<40: connectControl()
    case ..<44: client().map { .hangUp($0.number) } ?? subscribe()
    case 44: client().map { .endInput($0.number) } ?? subscribe()
    case ..<48:
      client().map {
        .room(
          $0.number, bytes: random.pick([0, 10, 150, 700, 3_000]),
          atOnce: random.pick([1, 60, 100, 10_000, 10_000]))
      } ?? subscribe()
    case ..<54: client().map { .read($0.number) } ?? subscribe()
    case ..<68: request(ofControl: false)
    case ..<82: request(ofControl: true)
    case ..<86:
      .session(
        random.pick([1000, 1000, 1001, 1001, 1002, ModelExpectations.nora]),
        random.pick(ModelPresence.allCases))
    case ..<89:
      .reason(
        random.pick([
          "sleep", "reduce-motion:portal", "reduce-motion:gnome", "low-power:profile",
          "low-power:upower",
        ]), random.chance(40))
    case 89, 90: .configure({ "\($0.0)=\($0.1)" }(setting()))
    case 91, 92: .reload
    case 93, 94, 95: .device(deviceEvent())
    case 96: .proxy(random.pick([nil, "normal", "left-up", "right-up"]))
    case 97: random.chance(50) ? .resume : .documentsAreSlow(random.chance(30))
    case 98: .answerDocuments
    default: .calm(milliseconds: 1_500)
    }
  }

  private mutating func time() -> ModelOperation {
    switch random.below(8) {
    case 0: .pass(milliseconds: 11_000)
    case 1: .stall(milliseconds: 12_000)
    default: .pass(milliseconds: 6_500)
    }
  }

  private mutating func deviceEvent() -> ModelDeviceEvent {
    switch random.below(14) {
    case 0, 1: .unplug
    case 2, 3, 4: .plug
    case 5: .failure(random.pick(["none", "busy", "denied", "lost"]))
    case 6, 7: .failure(nil)
    case 8: .readError
    case 9: .slowness(milliseconds: random.pick([1, 50, 2_000, 8_000]))
    case 10: .slowness(milliseconds: 2)
    case 11: .turning
    case 12: .shaking
    default: .still
    }
  }

  // MARK: - Clients

  private mutating func client(ofControl isControl: Bool? = nil) -> (number: Int, isControl: Bool)?
  {
    let candidates = clients.suffix(14).filter { isControl == nil || $0.isControl == isControl }
    return candidates.isEmpty ? nil : random.pick(candidates)
  }

  private mutating func number(isControl: Bool) -> Int {
    lastNumber += 1
    clients.append((lastNumber, isControl))
    if clients.count > 40 { clients.removeFirst(20) }
    return lastNumber
  }

  private mutating func user() -> UInt32 {
    random.chance(45) ? 1000 : random.pick(ModelExpectations.users + [1001, 1001])
  }

  private mutating func subscribe() -> ModelOperation {
    random.chance(35)
      ? .pair(number(isControl: false), uid: user())
      : .subscribe(number(isControl: false), uid: user())
  }

  private mutating func connectControl() -> ModelOperation {
    .control(
      number(isControl: true),
      uid: random.chance(40) ? 0 : random.pick(ModelExpectations.users))
  }

  // MARK: - Requests

  private mutating func request(ofControl isControl: Bool) -> ModelOperation {
    guard let client = client(ofControl: isControl)?.number else {
      return isControl ? connectControl() : subscribe()
    }
    if random.chance(3) { return .part(client, random.pick(["{", "  ", #"{"class":"#])) }
    if random.chance(3) {
      return .flood(
        client, count: random.pick([9, 40, 300, 1_200]),
        isControl
          ? random.chance(60) ? #"{"class":"STATUS"}"# : sample(tag()) : streamRequest())
    }
    if random.chance(1) { return .send(client, String(repeating: "x", count: 5_000)) }
    return .send(client, isControl ? controlRequest() : streamRequest())
  }

  private mutating func tag() -> String {
    lastTag += 1
    return "\"tag\":\(lastTag)"
  }

  private mutating func streamRequest() -> String {
    switch random.below(20) {
    case 0: #"{"class":"NONE","wrong":1}"#
    case 1: #"{"class":"WATCH","rate":0,"wrong":1}"#
    case 2: #"{"class":"WATCH","#
    case 3...7: #"{"class":"POLL"}"#
    default: watch()
    }
  }

  private mutating func watch() -> String {
    var fields: [String] = []
    if random.chance(60) {
      fields.append(
        "\"rate\":" + random.pick(["1", "7.5", "10", "24", "29", "30", "59", "59.63", "60", "1e9"]))
    }
    if random.chance(12) { fields.append("\"enable\":\(random.chance(60))") }
    if random.chance(20) {
      fields.append(
        "\"layers\":" + random.pick(["{}", #"{"card":1}"#, #"{"card":-10,"sky":0.2,"fg":1.5}"#]))
    }
    if random.chance(20) {
      fields.append("\"on_change\":" + random.pick(["true", "false", "false", "0", "0.05", "3"]))
    }
    if random.chance(20) {
      fields.append(
        "\"orientation\":"
          + random.pick([#""normal""#, #""left-up""#, #""bottom-up""#, #""right-up""#]))
    }
    return "{" + ([#""class":"WATCH""#] + fields).joined(separator: ",") + "}"
  }

  private mutating func controlRequest() -> String {
    let tag = tag()
    switch random.below(32) {
    case 0...3: return #"{"class":"STATUS",\#(tag)}"#
    case 4...8: return #"{"class":"SET",\#(tag),\#(change())}"#
    case 9: return #"{"class":"RECENTER",\#(tag)}"#
    case 10, 11: return #"{"class":"RELOAD",\#(tag)}"#
    case 12, 13: return #"{"class":"INHIBIT",\#(tag),"reason":"password"}"#
    case 14, 15: return #"{"class":"AGENT",\#(tag),\#(report())}"#
    case 16, 17, 18: return #"{"class":"RECORD",\#(tag)}"#
    case 19, 20, 21:
      let id = random.pick(ModelDocuments.names + ["missing"])
      let layer = random.pick(["", "", #","layer":"card""#])
      return #"{"class":"PLAY",\#(tag),"id":"\#(id)","detached":\#(random.chance(40))\#(layer)}"#
    case 22:
      return #"{"class":"STOP",\#(tag),"id":"\#(random.pick(ModelDocuments.names))"}"#
    case 23: return #"{"class":"STOP",\#(tag)}"#
    case 24: return #"{"class":"NONE","wrong":1}"#
    case 25: return #"{"class":"SET",\#(tag),"key":"wrong","value":"on"}"#
    case 26, 27: return #"{"class":"FEED",\#(tag),"name":"phone","rate":60}"#
    case 28: return #"{"class":"SAMPLE",\#(tag),"wrong":1}"#
    default: return sample(tag)
    }
  }

  private mutating func sample(_ tag: String) -> String {
    let rate = random.pick(["20", "-20", "0.6", "0"])
    return #"{"class":"SAMPLE",\#(tag),"x":\#(rate),"y":\#(rate),"z":0}"#
  }

  private mutating func change() -> String {
    switch random.below(10) {
    case 0, 1, 2: "\"key\":\"paused\",\"value\":\"\(random.pick(["on", "off", "off"]))\""
    case 3, 4:
      "\"key\":\"reduce-motion\",\"value\":\"\(random.pick(["auto", "on", "off"]))\""
    case 5, 6: "\"key\":\"low-power\",\"value\":\"\(random.pick(["auto", "on", "off"]))\""
    case 7:
      "\"key\":\"orientation\",\"value\":\"\(random.pick(["auto", "normal", "left-up"]))\""
    case 8: "\"key\":\"scale\",\"value\":\"\(random.pick(["auto", "2", "0.1"]))\""
    default: "\"key\":\"smoothing\",\"value\":\"\(random.pick(["auto", "none", "spring:0.2"]))\""
    }
  }

  private mutating func report() -> String {
    var fields: [String] = []
    if random.chance(70) { fields.append("\"reduce_motion\":\(random.chance(50))") }
    if random.chance(40) {
      fields.append(
        "\"orientation\":" + random.pick([#""normal""#, #""left-up""#, #""auto""#]))
    }
    if random.chance(30) || fields.isEmpty { fields.append("\"wanted\":\(random.chance(70))") }
    return fields.joined(separator: ",")
  }
}
