/// Something that is on a stage.
package struct StageContent: Equatable, Sendable {
  package let id: String
  /// nil: all layers.
  package let layer: String?
  /// False: it has ended, and what it left stays.
  package let isRunning: Bool
}
