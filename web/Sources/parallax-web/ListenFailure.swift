// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import ParallaxWebCore

/// Says why the server cannot listen.
enum ListenFailure {
  /// Ends the program with a message.
  static func exit(
    _ environment: ProgramEnvironment, _ error: any Error, host: String, port: Int
  ) -> Never {
    let address = "\(host):\(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      environment.fail("\(address): already in use; choose another --port", code: 69)
    case EACCES, EPERM:
      environment.fail("\(address): permission denied; use port 1024 or higher", code: 77)
    case EADDRNOTAVAIL:
      environment.fail("\(address): not an address of this machine; change --host", code: 64)
    default:
      environment.fail("\(address): listening failed: \(error)", code: 69)
    }
  }
}
