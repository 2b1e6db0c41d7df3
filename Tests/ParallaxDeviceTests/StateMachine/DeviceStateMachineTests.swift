// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

/// Scripts of events and actions; see `DeviceScript`.
@Suite struct DeviceStateMachineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String

    init(_ name: String, _ script: String) {
      testDescription = name
      self.script = script
    }
  }

  static let ordinary = [
    Case(
      "found, opened, streaming, released",
      """
      0    start            -> acquire
      0.4  acquired device0 ->
      0.5  samples 9        -> streaming
      9.1  stop             -> release
      9.2  released         ->
      """),
    Case(
      "a note about a streaming device",
      """
      0    start                           -> acquire
      0.4  acquired device0 33 polled only ->
      0.5  sample                          -> streaming(polled only)
      """),
    Case(
      "none, until one is plugged in",
      """
      0    start            -> acquire
      0.1  none no device   -> none(no device)
      30.1 time             -> acquire
      30.2 none no device   ->
      41   changed          -> acquire
      41.1 acquired device0 ->
      41.2 samples 45       -> streaming
      """),
    Case(
      "busy, then free",
      """
      0    start            -> acquire
      0.1  busy held by x   -> busy(held by x)
      30.1 time             -> acquire
      30.2 busy held by x   ->
      60.2 time             -> acquire
      60.3 acquired device0 ->
      60.4 samples 62       -> streaming
      """),
    Case(
      "denied, until a udev rule grants access",
      """
      0    start            -> acquire
      0.1  denied adduser   -> denied(adduser)
      7    changed          -> acquire
      7.1  denied udev rule -> denied(udev rule)
      8    changed          -> acquire
      8.1  acquired device0 ->
      8.2  samples 10       -> streaming
      """),
    Case(
      "the removal of a busy device leads to an attempt at once",
      """
      0    start            -> acquire
      0.1  busy held by x   -> busy(held by x)
      5    removed device0  -> acquire
      5.1  none no device   -> none(no device)
      """),
  ]

  static let losses = [
    Case(
      "the program is held up: only a further second without a sample is silence",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 5        -> streaming
      7    late             ->
      7.5  samples 9        ->
      12   late             ->
      13   time             -> lost(gave no sample for 1 s), release
      """),
    Case(
      "unplugged, and found again with another number",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 5        -> streaming
      5    removed trigger0 ->
      5.01 removed device0  -> lost(unplugged), release
      5.02 removed trigger1 ->
      5.1  released         ->
      5.2  removed trigger2 ->
      8    changed          -> acquire
      8.1  changed          ->
      8.2  acquired device1 ->
      8.3  samples 9        -> streaming
      9.1  removed device0  ->
      9.2  removed device1  -> lost(unplugged), release
      """),
    Case(
      "unplugged and plugged in before the worker has released it",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 5        -> streaming
      5.01 removed device0  -> lost(unplugged), release
      5.02 changed          ->
      9    released         -> acquire
      9.1  acquired device0 ->
      9.2  samples 10       -> streaming
      """),
    Case(
      "unplugged without events: silent, missing, back",
      """
      0     start            -> acquire
      0.1   acquired device0 ->
      0.2   samples 20       -> streaming
      21    time             -> lost(gave no sample for 1 s), release
      21    released         -> acquire
      21.1  none no device   -> lost(no device)
      51.1  time             -> acquire
      51.2  none no device   ->
      81.2  time             -> acquire
      81.3  acquired device1 ->
      81.4  samples 83       -> streaming
      """),
    Case(
      "reading reports the removal before the kernel does",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 20       -> streaming
      20   read-failed 19   -> lost(unplugged), release
      20   read-failed 19   ->
      20.1 removed device0  ->
      20.2 released         -> acquire
      20.3 none no device   ->
      50.3 time             -> acquire
      """),
    Case(
      "unplugging does not count as a failure",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 4        -> streaming
      4    read-failed 19   -> lost(unplugged), release
      4.1  released         -> acquire
      4.2  acquired device1 ->
      4.3  samples 8        -> streaming
      8    read-failed 19   -> lost(unplugged), release
      8.1  released         -> acquire
      8.2  acquired device2 ->
      8.3  samples 9.02     -> streaming
      10.02 time            -> lost(gave no sample for 1 s), release
      10.1 released         -> acquire
      """),
    Case(
      "reading fails repeatedly",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 20       -> streaming
      20   read-failed 5    -> lost(reading failed: Input/output error), release
      20   released         -> acquire
      20.1 acquired device0 ->
      20.2 read-failed 5    -> release
      20.3 released         ->
      21.2 time             -> acquire
      21.3 acquired device0 ->
      21.4 read-failed 5    -> release
      21.5 released         ->
      23.4 time             -> acquire
      """),
    Case(
      "opening fails, with growing pauses",
      """
      0     start   -> acquire
      0     lost io -> lost(io)
      0.25  time    -> acquire
      0.25  lost io ->
      1.25  time    -> acquire
      1.25  lost io ->
      3.25  time    -> acquire
      3.25  lost io ->
      7.25  time    -> acquire
      7.25  lost io ->
      15.25 time    -> acquire
      15.25 lost io ->
      31.25 time    -> acquire
      31.25 lost io ->
      61.25 time    -> acquire
      """),
  ]

  static let silences = [
    Case(
      "stalled, and resumed after reopening",
      """
      0     start            -> acquire
      0.1   acquired device0 ->
      0.2   samples 20       -> streaming
      21    time             -> lost(gave no sample for 1 s), release
      21    released         -> acquire
      21.1  acquired device0 ->
      22.5  samples 25       -> streaming
      """),
    Case(
      "long silence: each attempt listens longer",
      """
      0    start            -> acquire
      0    acquired device0 ->
      2    time             -> lost(gave no sample for 2 s), release
      2    released         -> acquire
      2    acquired device0 ->
      4    time             -> release
      4    released         -> acquire
      4    acquired device0 ->
      6    time             -> release
      6    released         -> acquire
      6    acquired device0 ->
      10   time             -> release
      10   released         -> acquire
      10   acquired device0 ->
      18   time             -> release
      18   released         -> acquire
      18   acquired device0 ->
      34   time             -> release
      34   released         -> acquire
      34   acquired device0 ->
      64   time             -> release
      64   released         -> acquire
      64   acquired device0 ->
      80   samples 91       -> streaming
      91.98 time            -> lost(gave no sample for 1 s), release
      """),
    Case(
      "frequent stalls: the pauses to listen grow",
      """
      0     start            -> acquire
      0     acquired device0 ->
      0     samples 3        -> streaming
      4     time             -> lost(gave no sample for 1 s), release
      4     released         -> acquire
      4     acquired device0 ->
      4     samples 7        -> streaming
      8     time             -> lost(gave no sample for 1 s)
      8.5   samples 9.1      -> streaming
      10.1  time             -> lost(gave no sample for 1 s)
      11.1  time             -> release
      """),
    Case(
      "a slow device has three periods",
      """
      0    start                 -> acquire
      0    acquired device0 1100 ->
      3.3  time                  -> lost(gave no sample for 3.3 s), release
      3.3  released              -> acquire
      3.3  acquired device0 1100 ->
      4    sample                -> streaming
      5.1  sample                ->
      8.4  time                  -> lost(gave no sample for 3.3 s)
      """),
    Case(
      "absurd periods",
      """
      0    start                   -> acquire
      0    acquired device0 900000 ->
      30   time                    -> lost(gave no sample for 30 s), release
      30   released                -> acquire
      30   acquired device0 -7     ->
      32   time                    -> release
      """),
    Case(
      "another device appears while one is silent",
      """
      0    start            -> acquire
      0    acquired device0 ->
      2    time             -> lost(gave no sample for 2 s), release
      2    released         -> acquire
      2    acquired device0 ->
      4    time             -> release
      4    released         -> acquire
      4    acquired device0 ->
      6    time             -> release
      6    released         -> acquire
      6    acquired device0 ->
      6.5  changed          ->
      6.9  changed          ->
      8.5  time             -> release
      """),
  ]

  static let slowWorkers = [
    Case(
      "a worker that answers after 30 s",
      """
      0    start            -> acquire
      3    time             -> lost(does not answer)
      30   acquired device0 ->
      30.1 samples 32       -> streaming
      """),
    Case(
      "a release takes 30 s, and a request comes during it",
      """
      0    start            -> acquire
      0    acquired device0 ->
      0.1  samples 2        -> streaming
      2    stop             -> release
      5    start            ->
      8    time             -> lost(does not answer)
      32   released         -> acquire
      35   time             ->
      36   acquired device0 ->
      36.1 samples 37       -> streaming
      """),
    Case(
      "a loss is reported once, even with a slow worker",
      """
      0     start            -> acquire
      0     acquired device0 ->
      0.1   samples 12.1     -> streaming
      13.1  time             -> lost(gave no sample for 1 s), release
      40    released         -> acquire
      43    time             ->
      60    acquired device0 ->
      60.1  samples 61       -> streaming
      """),
    Case(
      "unplugged and plugged in while the worker searches",
      """
      0    start            -> acquire
      0.1  changed          ->
      0.2  none no device   -> none(no device)
      0.45 time             -> acquire
      0.5  removed device0  ->
      0.6  acquired device0 -> lost(unplugged), release
      0.7  released         ->
      2    changed          -> acquire
      2.1  removed device1  ->
      2.2  changed          ->
      2.3  acquired device1 -> release
      2.4  released         -> acquire
      2.5  acquired device2 ->
      2.6  sample           -> streaming
      """),
    Case(
      "a storm of events",
      """
      0    start     -> acquire
      0.1  none x    -> none(x)
      0.2  changed   ->
      0.25 changed   ->
      0.35 time      -> acquire
      0.4  none x    ->
      0.5  changed   ->
      0.65 time      -> acquire
      """),
  ]

  static let requests = [
    Case(
      "stopped while it is opened",
      """
      0    start            -> acquire
      1    stop             ->
      9    acquired device0 -> release
      9.1  released         ->
      """),
    Case(
      "stopped before opening fails",
      """
      0    start     -> acquire
      1    stop      ->
      9    denied x  ->
      10   start     -> acquire
      10.1 denied x  -> denied(x)
      """),
    Case(
      "stopped and started while it is opened: the answer counts",
      """
      0    start            -> acquire
      1    stop             ->
      2    start            ->
      2.1  start            ->
      5    time             -> lost(does not answer)
      9    acquired device0 ->
      9.1  sample           -> streaming
      """),
    Case(
      "stopped before the first sample",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  stop             -> release
      0.3  sample           ->
      0.4  released         ->
      """),
    Case(
      "stopped while a silent device is released",
      """
      0    start            -> acquire
      0    acquired device0 ->
      2    time             -> lost(gave no sample for 2 s), release
      2.1  stop             ->
      2.2  changed          ->
      2.3  released         ->
      2.4  start            -> acquire
      2.5  acquired device0 ->
      4.5  time             -> lost(gave no sample for 2 s), release
      """),
    Case(
      "stopped while it waits",
      """
      0    start     -> acquire
      0.1  none x    -> none(x)
      5    stop      ->
      6    changed   ->
      40   start     -> acquire
      40.1 none x    -> none(x)
      """),
    Case(
      "started again during the release",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 2        -> streaming
      2    stop             -> release
      2.1  start            ->
      2.2  released         -> acquire
      2.3  acquired device0 ->
      2.4  samples 3        -> streaming
      """),
    Case(
      "started and stopped during the release",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  stop             -> release
      0.3  start            ->
      0.4  stop             ->
      0.5  released         ->
      """),
    Case(
      "a device that was held before and is missing is lost, also after a stop",
      """
      0    start            -> acquire
      0.1  acquired device0 ->
      0.2  samples 1        -> streaming
      1    stop             -> release
      1.1  released         ->
      50   removed device0  ->
      60   start            -> acquire
      60.1 none no device   -> lost(no device)
      """),
    Case(
      "answers that were not requested",
      """
      0    acquired device0 ->
      0    released         ->
      0    none x           ->
      0    sample           ->
      0    read-failed 5    ->
      0    removed device0  ->
      0    changed          ->
      0    stop             ->
      """),
  ]

  @Test(arguments: [ordinary, losses, silences, slowWorkers, requests].flatMap(\.self))
  func script(_ example: Case) throws {
    var script = DeviceScript()
    #expect(try script.run(example.script) == DeviceScript.normal(example.script))
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func sampleAllocatesNothing() {
    var machine = DeviceStateMachine()
    _ = machine.handle(.start, at: 0)
    let id = "iio:device0 with a name that is too long to be stored inline"
    _ = machine.handle(
      .acquired(deviceID: id, period: 1_000_000, note: id), at: 0)
    _ = machine.handle(.sample, at: 0)
    let count = AllocationCount.during {
      for index in 1...1000 {
        let now = MotionInstant(nanoseconds: Int64(index) * 1_000_000)
        _ = machine.handle(.sample, at: now)
        if let deadline = machine.deadline, deadline <= now {
          _ = machine.handle(.time, at: now)
        }
      }
    }
    #expect(count == 0)
  }
}
