// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation
import ParallaxBase
public import ParallaxDocuments
import ParallaxProtocol

extension AnimationHandle {
  /// What to play.
  public enum Subject: Equatable, Sendable {
    /// A document in the daemon's folder or on its server, by its id.
    case id(String)
    /// A document, as JSON text of at most 1 MiB: a parallax document or a Lottie file.
    ///
    /// - Parameter name: Its file or id, for messages. Its last part is the id of a document without one.
    case document([UInt8], name: String = "document")
    /// A document, as a value.
    case animation(AnimationDocument)

    /// - Throws: The ERROR of a document that the daemon could not read.
    func request() throws(RequestFailure) -> PlayRequest.Subject {
      do throws(DocumentError) {
        switch self {
        case .id(let id): return .id(id)
        case .document(let text, let name):
          return .text(try DocumentReader.string(text, name: name), file: name)
        case .animation(let document): return .text(try document.encoded())
        }
      } catch {
        throw RequestFailure(error)
      }
    }
  }
}

/// Animations that play one after the other, or together.
///
///     let tour = AnimationChain([.init(.id("nudge")), .init(.rotate(by: 90), layer: "card")], passes: .times(3))
///     let handle = try await AnimationHandle.play(tour, name: "tour")
public struct AnimationChain: Equatable, Sendable {
  /// How the parts follow each other.
  public enum Order: Equatable, Sendable {
    /// One after the other, each from the pose that the one before has left.
    case sequence
    /// All at once.
    case parallel
  }

  /// One animation of a chain.
  public struct Part: Equatable, Sendable {
    /// What to play.
    public var subject: AnimationHandle.Subject
    /// The layer to move. Default nil: that of the chain or of the document, or else all layers.
    public var layer: String?
    /// The values of the document's variables, or of a Lottie file's slots, by name.
    public var variables: [String: DocumentValue]

    /// Creates a part.
    public init(
      _ subject: AnimationHandle.Subject, layer: String? = nil,
      variables: [String: DocumentValue] = [:]
    ) {
      self.subject = subject
      self.layer = layer
      self.variables = variables
    }

    /// Creates a part of an animation that is written in Swift.
    public init(_ animation: Animation, layer: String? = nil) {
      self.init(.animation(AnimationDocument(animation)), layer: layer)
    }

    func request() throws(RequestFailure) -> PlayRequest {
      PlayRequest(
        try subject.request(), layer: layer,
        variables: try JSONValue(ofVariables: variables))
    }
  }

  /// 1 to 256 parts.
  public var parts: [Part]
  /// How they follow each other.
  public var order: Order
  /// The time before each part; of parts that play together, before each pass. At most a day.
  public var delay: Duration
  /// How often all parts play.
  public var passes: RepeatCount
  /// The most parts to play in all; nil: all.
  public var maxParts: Int?

  /// Creates a chain.
  ///
  /// - Parameters:
  ///   - parts: 1 to 256 parts.
  ///   - order: How they follow each other. Default: one after the other.
  ///   - delay: The time before each part; of parts that play together, before each pass. At most a day.
  ///     Default: none.
  ///   - passes: How often all parts play, at least once. Default: once.
  ///   - maxParts: The most parts to play in all. Default nil: all.
  public init(
    _ parts: [Part], order: Order = .sequence, delay: Duration = .zero,
    passes: RepeatCount = .times(1), maxParts: Int? = nil
  ) {
    self.parts = parts
    self.order = order
    self.delay = delay
    self.passes = passes
    self.maxParts = maxParts
  }

  func request() throws(RequestFailure) -> PlayRequest.Subject {
    var requests: [PlayRequest] = []
    for part in parts { requests.append(try part.request()) }
    let count: Int? =
      switch passes {
      case .times(let count): count
      case .forever: nil
      }
    return .chain(
      requests,
      ChainRequest(
        order: order == .sequence ? .sequence : .parallel, delaySeconds: delay / .seconds(1),
        passes: count, take: maxParts))
  }
}

extension JSONValue {
  /// Creates the `variables` of a request.
  ///
  /// - Returns: nil if there are none.
  init?(ofVariables variables: [String: DocumentValue]) throws(RequestFailure) {
    guard let value = VariableValues(variables).json else { return nil }
    self = value
    if let number = notFinite { try RequestFailure.checkFinite(number, "variables") }
  }

  /// A number in it that is not finite; nil if there is none.
  private var notFinite: Double? {
    switch self {
    case .double(let number): number.isFinite ? nil : number
    case .array(let elements): elements.lazy.compactMap(\.notFinite).first
    case .object(let object): object.members.lazy.compactMap(\.value.notFinite).first
    case .null, .bool, .integer, .decimal, .string: nil
    }
  }
}
