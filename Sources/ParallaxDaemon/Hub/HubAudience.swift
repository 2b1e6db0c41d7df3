package import ParallaxWire

/// Who gets what the hub makes. `StreamService` is the one there is.
package protocol HubAudience: AnyObject {
  var demand: SourceSwitch.Demand { get }
  /// Whether somebody still sees something move that no sample has to move.
  var needsTicks: Bool { get }
  /// Whether somebody looks.
  var isWatched: Bool { get }
  /// Whether somebody has a layer of that name.
  func hasLayer(_ name: String) -> Bool
  func animationChanged(_ message: AnimationMessage, for user: UserState, atNanoseconds now: Int64)
  func publish(_ frame: FrameStamp, atNanoseconds now: Int64)
  func deviceChanged(atNanoseconds now: Int64)
  func gateChanged(of user: UserState, atNanoseconds now: Int64)
  func settingsChanged()
}

/// Who gets the samples themselves, and whose agents are asked. `ControlService` is the one there
/// is.
package protocol HubRecorder: AnyObject {
  var isRecording: Bool { get }
  func deviceChanged(atNanoseconds now: Int64)
  func orientationsChanged(atNanoseconds now: Int64)
  func sourceWasReplaced(atNanoseconds now: Int64)
  func sampleKept(_ sample: SampleMessage, atNanoseconds now: Int64)
}
