/// One value of a message. Whatever else a peer sends is `.other`: nothing that comes off a bus is
/// taken for granted.
package enum BusValue: Equatable, Sendable {
  /// A string; an object path and a signature too.
  case string(String)
  case uint32(UInt32)
  case int32(Int32)
  case bool(Bool)
  case double(Double)
  /// Of another type (D-Bus signature), passed over. Never sent.
  case other(signature: String)
}

/// Why a call has no answer, or an answer no value.
package enum BusError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no connection now.
  case notConnected
  /// Nothing came in time, or the one who was asked went away.
  case noAnswer
  /// The peer, or the bus for it, says no: the error's name, as
  /// `org.freedesktop.DBus.Error.ServiceUnknown`, and its words.
  case refused(name: String, words: String)
  /// The message is not what was expected.
  case malformed(String)
  /// sd-bus could not do it.
  case failed(SystemError)

  package var description: String {
    switch self {
    case .notConnected: "not connected to the bus"
    case .noAnswer: "no answer"
    case .refused(let name, let words): words.isEmpty ? name : "\(words) (\(name))"
    case .malformed(let what): what
    case .failed(let error): error.description
    }
  }

  /// Whether a D-Bus error of this name was the answer.
  package func isRefusal(_ name: String) -> Bool {
    if case .refused(name, _) = self { true } else { false }
  }
}
