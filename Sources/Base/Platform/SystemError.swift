// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed system call.
///
/// Its description is one line: the path, the reason, the call and, if known, what to do.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's error number (`EACCES`, ...), positive.
  package var number: Int32
  /// The call, as `open` or `sd_event_add_io`.
  package var call: String
  /// The file or socket of the call; nil if it has none.
  package var path: String?

  package init(number: Int32, call: String, path: String? = nil) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// Returns the error in `errno`; call it before any other call changes `errno`.
  package static func last(_ call: String, path: String? = nil) -> SystemError {
    SystemError(number: errno, call: call, path: path)
  }

  /// Throws if the result of an sd-* function is negative, that is `-errno`; returns it otherwise.
  @discardableResult
  package static func check(
    _ result: Int32, _ call: String, path: String? = nil
  ) throws(SystemError) -> Int32 {
    guard result >= 0 else {
      throw SystemError(number: -result, call: call, path: path)
    }
    return result
  }

  /// The C library's text for the number, as `Permission denied`.
  package var reason: String {
    String(cString: strerror(number))
  }

  /// What the user can do about it; nil if unknown.
  package var advice: String? {
    switch number {
    case EACCES, EPERM: "check who owns it and its permissions"
    case ENOENT: path == nil ? nil : "create it or correct the path"
    case ENOTDIR: "part of the path is not a folder; correct the path"
    case EMFILE: "raise this program's limit on open files (ulimit -n, LimitNOFILE=)"
    case ENFILE: "the system's limit on open files is reached; raise fs.file-max"
    case ENOMEM, ENOBUFS: "free some memory"
    case ENOSPC, EDQUOT: "free some space on the disk"
    case EROFS: "choose a location on a writable file system"
    case ENAMETOOLONG: "choose a shorter path"
    case EISDIR: "specify a file, not a folder"
    case ELOOP: "the symbolic links form a loop; correct the path"
    default: nil
    }
  }

  package var description: String {
    let place = path.map { "\($0): " } ?? ""
    let whatToDo = advice.map { "; \($0)" } ?? ""
    return "\(place)\(reason) (\(call))\(whatToDo)"
  }
}
