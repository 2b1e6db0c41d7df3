/// One layer of the composition, as far as it is played.
struct LottieLayer: Sendable {
  /// Lottie's `ty`.
  enum Kind: Int, CaseIterable, Sendable {
    case precomposition = 0
    case solid = 1
    case image = 2
    /// Only a handle for others: never drawn.
    case null = 3
    case shape = 4
    case text = 5
    case audio = 6
    case camera = 13
  }

  /// Lottie's `ind`, what `parent` names; where a file has none, the place in the list.
  var number: Int64
  /// Lottie's `nm`; empty where there is none.
  var name: String
  /// nil: of a kind that Lottie has, but this list has not.
  var kind: Kind?
  /// Into the file's layers.
  var parent: Int?
  /// Frames; it is drawn from `inFrame` on and no more at `outFrame`.
  var inFrame: Double
  var outFrame: Double
  var transform = LottieTransform()
  /// Whether the transform has keyframes, be they all alike.
  var hasKeyframes = false
  /// Members of the transform that have an expression, as `p` or `p.x`.
  var expressions: [String] = []
  /// What else of its transform is not played, as `skew`.
  var leftOut: [String] = []

  /// For a person.
  var title: String { name.isEmpty ? "layer \(number)" : "layer \(Quoted.text(name))" }
  var shortTitle: String { name.isEmpty ? "\(number)" : name }
}
