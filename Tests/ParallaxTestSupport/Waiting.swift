import Glibc

/// Looks every millisecond whether something has come about, for at most `timeoutSeconds`
/// (default 30). Only for what another process does, which tells nobody.
package func waitUntil(
  _ what: String, timeoutSeconds: Double = 30, _ condition: () throws -> Bool
) throws {
  let deadline = Deadline(seconds: timeoutSeconds)
  while try !condition() {
    if deadline.isOver { throw TestSupportError("not within \(timeoutSeconds) s: \(what)") }
    poll(nil, 0, 1)
  }
}
