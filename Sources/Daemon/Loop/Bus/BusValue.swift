// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// One value of a message. A value of a type that parallax does not use is `.other`.
package enum BusValue: Equatable, Sendable {
  /// A string; an object path and a signature too.
  case string(String)
  case uint32(UInt32)
  case int32(Int32)
  case bool(Bool)
  case double(Double)
  /// A value of another type (D-Bus signature), skipped. Never sent.
  case other(signature: String)
}

/// Why a call failed, or a value could not be read.
package enum BusError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The bus is not connected.
  case notConnected
  /// No answer came in time, or the peer disconnected.
  case noAnswer
  /// The peer, or the bus in its place, replied with an error: its name, as
  /// `org.freedesktop.DBus.Error.ServiceUnknown`, and its message.
  case errorReply(name: String, message: String)
  /// The message does not have the expected contents.
  case malformed(String)
  /// A call of sd-bus failed.
  case failed(SystemError)

  package var description: String {
    switch self {
    case .notConnected: "not connected to the bus"
    case .noAnswer: "no answer"
    case .errorReply(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
    case .malformed(let problem): problem
    case .failed(let error): error.description
    }
  }

  /// Whether it is an error reply with this name.
  package func hasName(_ name: String) -> Bool {
    if case .errorReply(name, _) = self { true } else { false }
  }
}
