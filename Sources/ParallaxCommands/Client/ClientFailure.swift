import Glibc
import ParallaxClient

extension CommandFailure {
  /// What the connection's error means for a person and a script.
  init(_ error: ParallaxError) {
    let exit: ToolExit =
      switch error {
      case .noDaemon(let attempts):
        if attempts.contains(where: { $0.errno == EACCES || $0.errno == EPERM }) {
          .noPermission
        } else if attempts.allSatisfy({ $0.errno == ENAMETOOLONG }) {
          .usage
        } else {
          .unavailable
        }
      case .closed, .incompatible, .malformed: .unavailable
      case .inputOutput, .noResources: .inputOutput
      }
    self.init(exit, error.description)
  }

  /// An ERROR of the daemon. What stands in `details` is reported before, a line each.
  init(_ error: ErrorMessage) {
    let exit: ToolExit =
      switch error.code {
      case .badRequest, .tooLong: .usage
      case .denied: .noPermission
      case .badConfiguration: .badConfiguration
      case .noSuchAnimation: .noInput
      case .badDocument: .badData
      case .tooMany, .behind, .unavailable, nil: .unavailable
      }
    for detail in error.details {
      Console.report(detail)
    }
    self.init(exit, error.message)
  }
}
