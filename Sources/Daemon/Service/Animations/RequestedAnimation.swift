// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxProtocol

/// An animation that a request names, or contains as a document.
struct RequestedAnimation: Sendable {
  var request: PlayRequest
  /// The document in the request, once it has been read.
  private(set) var document: Result<PreparedDocument, PlayError>?

  init(_ request: PlayRequest) {
    self.request = request
  }

  /// Whether the request contains a document that has not been read.
  var hasUnreadDocument: Bool {
    switch request.subject {
    case .document, .text: document == nil
    case .id, .chain: false
    }
  }

  /// Returns it with its document read, if the request contains one. Takes long for a large one.
  func readingDocument() -> RequestedAnimation {
    guard hasUnreadDocument else { return self }
    var animation = self
    animation.document = Result { () throws(PlayError) in try PreparedDocument(request) }
    return animation
  }

  /// Returns it with a layer, unless it has one of its own.
  func onLayer(_ layer: String?) -> RequestedAnimation {
    guard let layer, request.layer == nil else { return self }
    var animation = self
    animation.request.layer = layer
    return animation
  }
}

extension PreparedDocument {
  /// Reads the document in a request that contains one.
  fileprivate init(_ request: PlayRequest) throws(PlayError) {
    let (driver, variables) = (request.layer, VariableValues(request))
    switch request.subject {
    case .document(let document, let id):
      try self.init(document, id: id, driver: driver, variables: variables)
    case .text(let text, let file, let id):
      try self.init(text, file: file, id: id, driver: driver, variables: variables)
    case .id, .chain: throw PlayError("the request contains no document", .badRequest)
    }
  }
}

extension VariableValues {
  /// The variables of a PLAY.
  init(_ request: PlayRequest) {
    guard case .object(let values)? = request.variables else {
      self = .none
      return
    }
    self.init(values)
  }
}
