// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemonModel
import ParallaxTestSupport
import Testing

/// The whole daemon against a model of what each client may see; see docs/development.md.
struct ModelTests {
  /// `make test-model` runs a million operations; here a few thousand have to do.
  @Test func randomOperationsFollowTheModel() {
    let runner = ModelRunner(seed: SeededGenerator.forTest().seed, operations: 2_400)
    let report = runner.run()
    #expect(report.failure == nil, "\(report.failure.map(\.description) ?? "")")
    #expect(report.operations >= 2_400 || report.failure != nil)
  }

  /// The scripts show frames. How many depends on the seed; this one is fixed.
  @Test func randomOperationsShowFrames() {
    let report = ModelRunner(seed: SeededGenerator.defaultSeed, operations: 2_400).run()
    #expect(report.frames > 500)
  }

  /// A reproducer is text: what is read back is what was printed.
  @Test func scriptsReadBackAsPrinted() throws {
    let seed = SeededGenerator.forTest().seed
    for seed in seed..<(seed + 40) {
      let text = ModelGenerator.script(seed: seed, operations: 200).description
      #expect(try #require(ModelScript(text)).description == text)
    }
  }

  /// The model is not blind: a request that the script calls wrong, and that the daemon accepts, is a
  /// violation, and the script is shrunk to what matters.
  @Test func violationsAreFoundAndShrunk() throws {
    let text = """
      gyroscope 100.0
      subscribe 1 1000
      pass 100
      send 1 {"class":"WATCH","rate":10,"wrong":1}
      pass 50
      """
    let script = try #require(ModelScript(text))
    let violation = try #require(script.run().violation)
    #expect(violation.rule == "answer")
    let shrunk = script.shrunk(violation.rule).description.split(separator: "\n")
    #expect(shrunk.count == 3, "\(shrunk)")
  }

  /// Scripts that found an error once.
  @Test(arguments: [
    // After a pause of the loop, few frames go out at once.
    """
    gyroscope 400.0
    set source.kind=iio
    set sampling.rate=native
    subscribe 1 1000
    pass 200
    stall 3000
    pass 200
    """,
    // INHIBIT ends while a user's own gate closes: no motion of two fades that cross.
    """
    gyroscope 50.0
    set source.kind=iio
    control 3 0
    send 3 {"class":"INHIBIT","tag":1,"reason":"password"}
    control 5 0
    subscribe 12 0
    stall 300
    send 5 {"class":"AGENT","tag":8,"reduce_motion":true}
    hang-up 3
    pass 1000
    """,
    // One reason to reduce motion takes the place of another: the gain stays as it is.
    """
    gyroscope 200.0
    set source.kind=iio
    set gates.reduced=subtle
    control 7 0
    reason reduce-motion:gnome on
    send 7 {"class":"AGENT","tag":13,"reduce_motion":true,"orientation":"normal"}
    subscribe 13 0
    pass 16
    stall 1000
    reason reduce-motion:gnome off
    pass 1000
    """,
    // A user in the background logs out: the gyroscope is not opened for a client that must leave.
    """
    gyroscope 200.0
    set source.kind=iio
    subscribe 1 1000
    session 1000 inactive
    pass 6500
    session 1000 none
    pass 2000
    """,
    // The same after a reload.
    """
    gyroscope 200.0
    set source.kind=iio
    subscribe 1 1000
    session 1000 inactive
    pass 6500
    configure socket.access=group
    reload
    pass 2000
    """,
    // A client that must leave and does not read its last line does not hold the gyroscope.
    """
    gyroscope 400.0
    set source.kind=iio
    subscribe 3 1000
    room 3 0 1
    configure socket.access=group
    reload
    pass 7500
    """,
    // Without a gyroscope, the connections of a user share the frames of an animation, too.
    """
    gyroscope 200.0
    set source.kind=iio
    set sampling.rate=native
    pair 7 1000
    pass 200
    reason reduce-motion:gnome on
    control 14 0
    pass 400
    send 14 {"class":"PLAY","tag":14,"id":"calm","detached":false}
    pass 66
    subscribe 24 1000
    device slowness 8000
    pass 493
    reason reduce-motion:gnome off
    send 24 {"class":"WATCH","rate":59}
    pass 200
    """,
    // A slow reader gets the frame of the instant at which motion was inhibited, and that came before.
    """
    gyroscope 200.0
    set source.kind=iio
    set sampling.rate=native
    subscribe 5 1000
    pass 39
    control 11 900
    pair 14 1003
    pass 27
    room 14 10 10000
    pass 1
    send 11 {"class":"INHIBIT","tag":17,"reason":"password"}
    """,
    // The first line that a client gets ends what it has asked for, and is no longer allowed to.
    """
    gyroscope 100.0
    set source.kind=iio
    set socket.control-group=operators
    configure socket.access=all
    control 10 1005
    send 10 {"class":"RECORD","tag":11}
    configure socket.control-group=
    reload
    """,
    // A gyroscope that answers when no one needs it is not opened again.
    """
    gyroscope 100.0
    set source.kind=iio
    device slowness 8000
    subscribe 1 1000
    pass 100
    configure source.device=gyro_3d
    reload
    hang-up 1
    pass 11000
    pass 6500
    """,
    // A refusal waits for a full socket, and its user may connect again by the time it is read.
    """
    gyroscope 30.3
    set source.kind=iio
    session 1001 active
    control 7 1001
    room 7 700 1
    session 1001 none
    session 1001 active
    """,
    // Without a device a recording is refused, and the source lingers afterwards.
    """
    gyroscope 30.3
    set source.kind=iio
    control 9 0
    device unplug
    send 9 {"class":"RECORD","tag":13}
    pass 4000
    send 9 {"class":"RECORD","tag":16}
    pass 2500
    device plug
    pass 400
    pass 400
    """,
    // A recording of a user who is no longer privileged counted as a subscriber.
    """
    gyroscope 30.3
    set source.kind=iio
    set socket.control-users=nora
    control 4 1004
    send 4 {"class":"RECORD","tag":19}
    control 10 1004
    session 1004 inactive
    room 4 0 1
    configure socket.control-users=
    send 10 {"class":"RELOAD","tag":30}
    send 10 {"class":"STATUS","tag":31}
    """,
    // A reload opens the gate of a user who must leave: the gyroscope is not opened.
    """
    gyroscope 30.3
    set source.kind=iio
    set gates.low-power=on
    pass 3000
    configure socket.access=group
    configure gates.low-power=off
    subscribe 9 1000
    pass 2000
    reload
    pass 2000
    """,
    // Nor while one of its subscribers has something to say before it must leave.
    """
    gyroscope 200.0
    set source.kind=iio
    reason reduce-motion:portal on
    pair 1 1000
    pass 6500
    configure gates.reduced=subtle
    configure socket.access=group
    room 1 700 1
    reload
    pass 2000
    """,
    // An answer waits for a slow reader while its user loses the privilege.
    """
    gyroscope 400.0
    set source.kind=iio
    set socket.control-group=operators
    control 2 1005
    documents slow
    send 2 {"class":"PLAY","tag":2,"id":"card","detached":true}
    room 2 150 1
    configure socket.control-group=
    documents answer
    reload
    """,
    // A fade that is reversed twice at one instant goes on with its first duration.
    """
    gyroscope 200.0
    set source.kind=iio
    set gates.fade=1
    subscribe 7 1000
    pass 400
    reason low-power:upower on
    configure gates.fade=0
    reload
    reload
    control 14 0
    send 14 {"class":"SET","tag":22,"key":"low-power","value":"off"}
    device read-error
    stall 150
    """,
    // A recording that ends at once, without a device, needs it no more when it is plugged in.
    """
    gyroscope 100.0
    set socket.control-users=nora
    control 24 1004
    pair 25 0
    stall 20
    device unplug
    pass 200
    hang-up 25
    send 24 {"class":"RECORD","tag":46}
    pass 6500
    device plug
    pass 1000
    """,
    // A fade needs frames between the samples of a slow gyroscope.
    """
    gyroscope 30.3
    subscribe 5 1003
    pass 2000
    configure gates.fade=1
    configure sampling.rate=60
    reload
    pass 100
    calm 1500
    """,
  ])
  func scriptsThatFailedOnce(text: String) throws {
    let script = try #require(ModelScript(text))
    let violation = script.run().violation
    #expect(violation == nil, "\(violation?.rule ?? ""): \(violation?.text ?? "")")
  }
}
