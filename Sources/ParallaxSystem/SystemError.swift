import Glibc

/// A system call that failed: which, on what, and why.
///
/// The text is one line: what, where, why, and what to do where that is known.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's error number (`EACCES`, ...), positive.
  package var number: Int32
  /// The call, as `open` or `sd_event_add_io`.
  package var call: String
  /// The file or socket it was about; nil where there is none.
  package var path: String?

  package init(number: Int32, call: String, path: String? = nil) {
    self.number = number
    self.call = call
    self.path = path
  }

  /// The error that `errno` holds right now: to be read before anything else is called.
  package static func last(_ call: String, path: String? = nil) -> SystemError {
    SystemError(number: errno, call: call, path: path)
  }

  /// Throws for a negative result of an sd-* function, which is `-errno`; gives it back otherwise.
  @discardableResult
  package static func check(
    _ result: Int32, _ call: String, path: String? = nil
  ) throws(SystemError) -> Int32 {
    guard result >= 0 else {
      throw SystemError(number: -result, call: call, path: path)
    }
    return result
  }

  /// The C library's words for the number, as `Permission denied`.
  package var reason: String {
    String(cString: strerror(number))
  }

  /// What a person can do about it; nil where that is not known.
  package var advice: String? {
    switch number {
    case EACCES, EPERM: "check who owns it and its permissions"
    case ENOENT: path == nil ? nil : "create it or correct the path"
    case ENOTDIR: "a part of the path is not a folder; correct the path"
    case EMFILE: "raise this program's limit of open files (ulimit -n, LimitNOFILE=)"
    case ENFILE: "the system's limit of open files is reached; raise fs.file-max"
    case ENOMEM, ENOBUFS: "free some memory"
    case ENOSPC, EDQUOT: "free some space on the disk"
    case EROFS: "choose a place on a file system that can be written"
    case ENAMETOOLONG: "choose a shorter path"
    case EISDIR: "name a file, not a folder"
    case ELOOP: "the symbolic links run in a circle; correct the path"
    default: nil
    }
  }

  package var description: String {
    let place = path.map { "\($0): " } ?? ""
    let whatToDo = advice.map { ", \($0)" } ?? ""
    return "\(place)\(reason) (\(call))\(whatToDo)"
  }
}
