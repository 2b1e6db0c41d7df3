// SPDX-License-Identifier: Apache-2.0

import CWayland

/// Where the pointer is in a window of this program.
final class Pointer {
  /// In logical px from the upper left corner; nil while it is elsewhere.
  private(set) var place: (x: Double, y: Double)?
  var moved: () -> Void = {}
  private let seat: OpaquePointer
  private var pointer: OpaquePointer?
  private var seatListener: Listener<wl_seat_listener>?
  private var listener: Listener<wl_pointer_listener>?

  /// - Parameter seat: Of version 1.
  init(_ seat: OpaquePointer) {
    self.seat = seat
    // Later versions of the interfaces have more functions, which version 1 never calls.
    var functions = wl_seat_listener()
    functions.capabilities = { data, _, capabilities in
      listened(data, as: Pointer.self)?.update(
        hasPointer: capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue != 0)
    }
    let seatListener = Listener(functions)
    self.seatListener = seatListener
    wl_seat_add_listener(seat, seatListener.pointer, listenerData(self))
  }

  deinit {
    if let pointer { wl_pointer_destroy(pointer) }
    wl_seat_destroy(seat)
  }

  private func update(hasPointer: Bool) {
    if let pointer { wl_pointer_destroy(pointer) }
    pointer = hasPointer ? wl_seat_get_pointer(seat) : nil
    set(nil)
    guard let pointer else { return }
    var functions = wl_pointer_listener()
    functions.enter = { data, _, _, _, x, y in
      listened(data, as: Pointer.self)?.set((wl_fixed_to_double(x), wl_fixed_to_double(y)))
    }
    functions.leave = { data, _, _, _ in listened(data, as: Pointer.self)?.set(nil) }
    functions.motion = { data, _, _, x, y in
      listened(data, as: Pointer.self)?.set((wl_fixed_to_double(x), wl_fixed_to_double(y)))
    }
    functions.button = { _, _, _, _, _, _ in }
    functions.axis = { _, _, _, _, _ in }
    let listener = Listener(functions)
    self.listener = listener
    wl_pointer_add_listener(pointer, listener.pointer, listenerData(self))
  }

  private func set(_ place: (x: Double, y: Double)?) {
    self.place = place
    moved()
  }
}
