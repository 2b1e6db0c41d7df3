// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation

extension AnimatorError {
  /// What is wrong and what to do, after "animation 'x'".
  func reason(for action: RunAction) -> String {
    switch self {
    case .isInactive: "has not started"
    case .isNotPaused:
      if case .seek = action {
        "is not paused; pause it before a seek"
      } else {
        "is not paused; only a paused animation continues with another timing"
      }
    case .isStopped: "is stopped; only finish is possible"
    case .isNotStopped: "is not stopped; stop it first"
    case .isEndless: "repeats forever, so it has no fraction and no time that is left"
    case .hasTooManyChanges: "was continued or extended too often; play it again"
    }
  }
}
