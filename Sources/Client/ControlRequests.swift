// SPDX-License-Identifier: Apache-2.0

package import ParallaxProtocol

extension LineConnection {
  /// Sends a request with a tag of its own, for programs with a loop of their own, which read its answer with
  /// `next`. Others use `ParallaxControl`.
  package mutating func send(_ request: ControlRequest) {
    lastTag += 1
    send(request.line(tag: .integer(lastTag)))
  }
}
