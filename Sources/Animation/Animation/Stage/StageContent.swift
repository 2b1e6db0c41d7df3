// SPDX-License-Identifier: Apache-2.0

/// An animation on a stage.
package struct StageContent: Equatable, Sendable {
  package let id: String
  /// nil: all layers.
  package let layer: String?
  /// nil after its end, when only its retained pose is left.
  package let state: RunState?

  package var isRunning: Bool { state != nil }
}
