/// What is done about one request, as a value: it is told what happened and says what comes next. It
/// knows no network; the time is an argument.
///
///     begin -> ask -> head -> read -> body -> done
///                      |                       ^
///                      +-> ask (a redirect) ---+  (304, 404, refusals and failures end at once)
package struct Fetch: Sendable {
  /// How long a request may take, from the question to the document's last byte, redirects
  /// included. s
  package static let patienceSeconds = 5
  /// Redirects in a row that are followed.
  package static let redirectLimit = 5

  /// What is to be done next.
  package enum Step: Equatable, Sendable {
    /// GET this, without following redirects; with If-None-Match where there is a tag.
    case ask(WebAddress, ifNoneMatch: String?)
    /// Take the body, `DocumentLimits.bytes` at most.
    case readBody
    case done(Conclusion)
  }

  package struct Conclusion: Equatable, Sendable {
    package let answer: FetchAnswer
    package let change: CacheChange
  }

  /// What becomes of the kept copy.
  package enum CacheChange: Equatable, Sendable {
    case none
    /// This is the newest.
    case store(CachedDocument)
    /// The server has just said that the copy is the newest.
    case touch(seconds: Int64)
    /// The server has it no more.
    case forget
  }

  package let request: FetchRequest
  private let copy: CachedDocument?
  private var asked: [WebAddress] = []
  private var entityTag: String?

  /// - Parameter copy: the kept one.
  package init(_ request: FetchRequest, copy: CachedDocument?) {
    self.request = request
    self.copy = copy
  }

  package mutating func begin(atSeconds now: Int64) -> Step {
    do throws(WebAddress.Problem) {
      return ask(try request.base.document(request.id))
    } catch {
      return failed(error.description, atSeconds: now)
    }
  }

  /// The server has answered; its body has not been read.
  package mutating func take(_ head: ResponseHead, atSeconds now: Int64) -> Step {
    switch head.status {
    case 200:
      if let refusal = head.refusal { return failed(refusal, atSeconds: now) }
      entityTag = head.usableTag
      return .readBody
    case 304:
      guard let copy, copy.entityTag != nil else {
        return failed("the server says 304 (unchanged) to a first question", atSeconds: now)
      }
      return .done(
        Conclusion(
          answer: .document(request.id, text: copy.text, origin: .cache, note: nil),
          change: .touch(seconds: now)))
    case 404, 410:
      return .done(
        Conclusion(
          answer: .error(
            FetchTrouble(
              id: request.id.text,
              "no such animation: \(request.id) (\(place) says \(head.status))", isMissing: true)),
          change: .forget))
    case 301, 302, 303, 307, 308:
      return redirect(head.location, atSeconds: now)
    default:
      return failed("the server says \(head.status)", atSeconds: now)
    }
  }

  /// The whole body is there.
  package mutating func take(body: [UInt8], atSeconds now: Int64) -> Step {
    guard body.count <= DocumentLimits.bytes else { return bodyTooLong(atSeconds: now) }
    do throws(JSONObjectCheck.Problem) {
      let document = try CachedDocument(text: body, entityTag: entityTag, checkedSeconds: now)
      return .done(
        Conclusion(
          answer: .document(request.id, text: body, origin: .network, note: nil),
          change: .store(document)))
    } catch {
      return failed("it is no document: \(error)", atSeconds: now)
    }
  }

  /// There was more of a body than is allowed; the rest has not been read.
  package func bodyTooLong(atSeconds now: Int64) -> Step {
    failed("it has more than \(DocumentLimits.bytes) bytes, which is not allowed", atSeconds: now)
  }

  /// The time is over.
  package func outOfTime(atSeconds now: Int64) -> Conclusion {
    conclusion(
      without: "the server did not answer within \(Self.patienceSeconds) s", atSeconds: now)
  }

  /// The server cannot be had, or what it gives is no document.
  /// - Parameter why: for a person.
  package func failed(_ why: String, atSeconds now: Int64) -> Step {
    .done(conclusion(without: why, atSeconds: now))
  }

  /// The kept copy, where there is one.
  private func conclusion(without why: String, atSeconds now: Int64) -> Conclusion {
    let trouble = "\(place): \(why)"
    guard let copy else {
      return Conclusion(
        answer: .error(FetchTrouble(id: request.id.text, trouble)), change: .none)
    }
    let age = Self.age(seconds: now - copy.checkedSeconds)
    return Conclusion(
      answer: .document(
        request.id, text: copy.text, origin: .stale,
        note: "\(trouble); this is the copy of \(age)"),
      change: .none)
  }

  /// What was asked last.
  private var place: String { asked.last?.text ?? request.base.text }

  private mutating func ask(_ address: WebAddress) -> Step {
    asked.append(address)
    return .ask(address, ifNoneMatch: copy?.entityTag)
  }

  private mutating func redirect(_ location: String?, atSeconds now: Int64) -> Step {
    guard let location, let here = asked.last else {
      return failed("it redirects, and does not say where", atSeconds: now)
    }
    do throws(WebAddress.Problem) {
      let target = try here.redirect(to: location)
      guard !asked.contains(target) else {
        return failed("it redirects in a circle", atSeconds: now)
      }
      guard asked.count <= Self.redirectLimit else {
        return failed("it redirects more than \(Self.redirectLimit) times", atSeconds: now)
      }
      return ask(target)
    } catch {
      return failed("it redirects to where documents are not: \(error)", atSeconds: now)
    }
  }

  /// As a person says it.
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
