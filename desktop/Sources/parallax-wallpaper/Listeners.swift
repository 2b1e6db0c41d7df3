// SPDX-License-Identifier: Apache-2.0

import CWayland

/// A table of C functions that libwayland keeps a pointer to. It must live as long as the object that it
/// listens to; its functions find their Swift object through `Self.object`.
final class Listener<Table> {
  let pointer: UnsafeMutablePointer<Table>

  init(_ table: Table) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: table)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// Returns the pointer that a listener's functions receive as their first argument. It owns nothing.
func listenerData(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passUnretained(object).toOpaque()
}

/// Returns the object of a listener's first argument.
func listened<Object: AnyObject>(_ data: UnsafeMutableRawPointer?, as _: Object.Type) -> Object? {
  data.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
