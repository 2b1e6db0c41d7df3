// SPDX-License-Identifier: Apache-2.0

/// The state machine of one request. It receives events and returns the next step; it has no
/// network and no clock.
///
///     begin -> get -> head -> readBody -> body -> done
///               ^      |                           ^
///               +------+ (a redirect)              |
///                      +---------------------------+ (304, 404, errors)
package struct Fetch: Sendable {
  /// The time limit of a request, from its start to the last byte of the document and including
  /// redirects, in seconds.
  package static let timeLimitSeconds = 5
  /// The maximum number of redirects in a row.
  package static let redirectLimit = 5
  /// The maximum length of the reason of an error, in bytes.
  package static let reasonLimit = 200

  /// The next step.
  package enum Step: Equatable, Sendable {
    /// Send GET without following redirects, with If-None-Match if there is a tag.
    case get(WebAddress, ifNoneMatch: String?)
    /// Read the body, at most `DocumentLimits.bytes`.
    case readBody
    /// Read the start of the body, at most `reasonLimit`: the reason of an error.
    case readReason
    /// The request has ended.
    case done(Conclusion)
  }

  package struct Conclusion: Equatable, Sendable {
    package let answer: FetchAnswer
    package let change: CacheChange
  }

  /// The change to the cached copy.
  package enum CacheChange: Equatable, Sendable {
    /// No change.
    case none
    /// Replace the copy with this one.
    case store(CachedDocument)
    /// The server has confirmed the copy as current.
    case touch(seconds: Int64)
    /// The server no longer has the document.
    case remove
  }

  package let request: FetchRequest
  private let copy: CachedDocument?
  private var requested: [WebAddress] = []
  private var entityTag: String?
  /// Of an error.
  private var status = 0

  /// - Parameter copy: the cached copy of the document.
  package init(_ request: FetchRequest, copy: CachedDocument?) {
    self.request = request
    self.copy = copy
  }

  package mutating func begin(atSeconds now: Int64) -> Step {
    do throws(WebAddress.InvalidAddressError) {
      return get(try request.base.document(request.id))
    } catch {
      return fail(error.description, atSeconds: now)
    }
  }

  /// Handles the head of an answer. Its body has not been read.
  package mutating func receive(_ head: ResponseHead, atSeconds now: Int64) -> Step {
    switch head.status {
    case 200:
      if let message = head.errorMessage { return fail(message, atSeconds: now) }
      entityTag = head.usableTag
      return .readBody
    case 304:
      guard let copy, copy.entityTag != nil else {
        return fail("the server answered 304 to an unconditional request", atSeconds: now)
      }
      return .done(
        Conclusion(
          answer: .document(request.id, text: copy.text, origin: .cache, note: nil),
          change: .touch(seconds: now)))
    case 404, 410:
      return .done(
        Conclusion(
          answer: .error(
            FetchError(
              id: request.id.text,
              "no such animation: \(request.id) (\(address) answered \(head.status))",
              isMissing: true)),
          change: .remove))
    case 301, 302, 303, 307, 308:
      return redirect(head.location, atSeconds: now)
    default:
      status = head.status
      return head.isPlainText ? .readReason : receive(reason: [], atSeconds: now)
    }
  }

  /// Handles the start of the text that says why the server answers with an error.
  package func receive(reason: [UInt8], atSeconds now: Int64) -> Step {
    let line = String(decoding: reason.prefix(Self.reasonLimit), as: UTF8.self)
      .prefix { !$0.isNewline }
    return fail(
      "the server answered \(status)" + (line.isEmpty ? "" : ": \(line)"), atSeconds: now)
  }

  /// Handles a complete body.
  package mutating func receive(body: [UInt8], atSeconds now: Int64) -> Step {
    guard body.count <= DocumentLimits.bytes else { return handleBodyTooLong(atSeconds: now) }
    do throws(JSONObjectCheck.SyntaxError) {
      let document = try CachedDocument(text: body, entityTag: entityTag, checkedSeconds: now)
      return .done(
        Conclusion(
          answer: .document(request.id, text: body, origin: .network, note: nil),
          change: .store(document)))
    } catch {
      return fail("invalid document: \(error)", atSeconds: now)
    }
  }

  /// Handles a body that is larger than allowed, of which the rest has not been read.
  package func handleBodyTooLong(atSeconds now: Int64) -> Step {
    fail("the document has more than \(DocumentLimits.bytes) bytes", atSeconds: now)
  }

  /// Handles the end of the time limit.
  package func handleTimeout(atSeconds now: Int64) -> Conclusion {
    conclusion(
      afterError: "the server did not answer within \(Self.timeLimitSeconds) s", atSeconds: now)
  }

  /// Handles an unreachable server or an invalid answer.
  /// - Parameter reason: text for the user.
  package func fail(_ reason: String, atSeconds now: Int64) -> Step {
    .done(conclusion(afterError: reason, atSeconds: now))
  }

  /// Answers with the cached copy, or with the error if there is none.
  private func conclusion(afterError reason: String, atSeconds now: Int64) -> Conclusion {
    let message = "\(address): \(reason)"
    guard let copy else {
      return Conclusion(
        answer: .error(FetchError(id: request.id.text, message)), change: .none)
    }
    let age = Self.age(seconds: now - copy.checkedSeconds)
    return Conclusion(
      answer: .document(
        request.id, text: copy.text, origin: .stale,
        note: "\(message); using the copy checked \(age)"),
      change: .none)
  }

  /// The address of the last request.
  private var address: String { requested.last?.text ?? request.base.text }

  private mutating func get(_ address: WebAddress) -> Step {
    requested.append(address)
    return .get(address, ifNoneMatch: copy?.entityTag)
  }

  private mutating func redirect(_ location: String?, atSeconds now: Int64) -> Step {
    guard let location, let current = requested.last else {
      return fail("the server redirects without a location", atSeconds: now)
    }
    do throws(WebAddress.InvalidAddressError) {
      let target = try current.redirect(to: location)
      guard !requested.contains(target) else {
        return fail("redirect loop", atSeconds: now)
      }
      guard requested.count <= Self.redirectLimit else {
        return fail("more than \(Self.redirectLimit) redirects", atSeconds: now)
      }
      return get(target)
    } catch {
      return fail("invalid redirect: \(error)", atSeconds: now)
    }
  }

  /// Returns an age as text.
  private static func age(seconds: Int64) -> String {
    switch seconds {
    case ..<2: "just now"
    case ..<120: "\(seconds) s ago"
    case ..<7200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}
