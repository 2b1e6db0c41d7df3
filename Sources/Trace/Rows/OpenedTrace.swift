// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// A trace that is ready to play: its samples, and the state in which the pipeline starts.
///
/// Replay and the daemon both open traces here, so they agree on whose mount matrix, bias and rate
/// apply.
package struct OpenedTrace: ~Copyable {
  /// The samples. Its header and its nominal rate have been read.
  package var reader: TraceReader
  /// The requested settings, with the recording's mount matrix if they have none.
  package let settings: MotionSettings
  /// The bias to start with: as requested, else the recording's, else off.
  package let bias: BiasState
  /// The nominal rate in Hz: as requested, the recording's, or measured; nil for fewer than two
  /// samples.
  package let nominalRateHertz: Double?

  /// Opens a trace, reads its header and finds its nominal rate.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - settings: What the samples are for.
  ///   - isRegular: Whether to refuse everything whose reading may wait, such as a pipe or a device.
  ///   - mustRewind: Whether to refuse a trace that cannot be played again, such as a pipe.
  ///   - readsUnusedZ: Whether samples have the recorded z even if no offset depends on it.
  ///   - blockSize: Bytes per read; the samples do not depend on it.
  package init(
    path: String, options: TraceOptions = TraceOptions(), settings: MotionSettings,
    isRegular: Bool = false, mustRewind: Bool = false, readsUnusedZ: Bool = true,
    blockSize: Int = 65_536
  ) throws(TraceError) {
    var reader = try TraceReader(
      isRegular ? TraceInput(regularFile: path) : TraceInput(path: path), options: options,
      blockSize: blockSize)
    if mustRewind, !reader.canRewind { throw .cannotRewind(reader.name) }
    var motion = settings
    motion.mountMatrix = settings.mountMatrix ?? reader.header.mountMatrix
    let bias = settings.bias(recorded: reader.header.bias)
    let requiresZ = bias != .off || (motion.mountMatrix ?? .identity).usesZ
    let usesZ = requiresZ || settings.mode == .tilt || readsUnusedZ
    // A bad z is the same error whatever uses z. A trace without z may have been recorded by a gyroscope
    // of two axes: the identity does without.
    if requiresZ || (reader.hasZ && usesZ) {
      try reader.requireZ()
    } else if reader.hasZ {
      reader.checkZ()
    }
    nominalRateHertz = reader.findNominalRate(frameRate: settings.frameRate)
    self.settings = motion
    self.bias = bias
    self.reader = consume reader
  }

  /// Takes the reader apart, for several threads; see `TraceReader.split`.
  package consuming func split(rows: inout TraceRows?, loops: Bool) -> TraceBlocks {
    reader.split(rows: &rows, loops: loops)
  }

  /// Returns a pipeline at the start of the trace.
  ///
  /// - Parameter orientation: As requested; nil takes the recording's, else `normal`.
  package func makePipeline(orientation: Orientation?) -> MotionPipeline {
    MotionPipeline(
      settings: settings, orientation: orientation ?? reader.header.orientation ?? .normal,
      nominalRateHertz: nominalRateHertz, bias: bias)
  }
}

extension TraceError {
  /// A pipe cannot be played a second time.
  static func cannotRewind(_ name: String) -> TraceError {
    TraceError(.usage, path: name, "cannot restart for --loop; use a file instead of a stream")
  }
}
