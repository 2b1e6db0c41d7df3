// SPDX-License-Identifier: Apache-2.0

/// The pixels of a picture, or of a layer of one: rows of 0xAARRGGBB with premultiplied alpha, as
/// WL_SHM_FORMAT_ARGB8888.
///
/// It is Sendable without the compiler's proof: nothing writes the pixels once it is created.
package final class LayerPixels: @unchecked Sendable {
  package let width: Int
  package let height: Int
  /// Pixels from one row to the next.
  package let stride: Int
  private let pixels: UnsafePointer<UInt32>
  private let release: () -> Void

  /// Takes over memory with pixels.
  ///
  /// - Parameter release: Frees the memory.
  package init(
    width: Int, height: Int, stride: Int, pixels: UnsafePointer<UInt32>,
    release: @escaping () -> Void
  ) {
    self.width = width
    self.height = height
    self.stride = stride
    self.pixels = pixels
    self.release = release
  }

  /// Draws pixels in new memory, which is transparent before.
  ///
  /// - Parameter draw: Writes rows of `width` pixels.
  package convenience init(
    width: Int, height: Int, draw: (UnsafeMutableBufferPointer<UInt32>) -> Void
  ) {
    let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(1, width * height))
    memory.initialize(repeating: 0)
    draw(memory)
    self.init(
      width: width, height: height, stride: width,
      // An allocated buffer has an address.
      pixels: UnsafePointer(memory.baseAddress.unsafelyUnwrapped), release: memory.deallocate)
  }

  deinit { release() }

  /// Returns a row. Valid as long as this object.
  package func row(_ y: Int) -> UnsafeBufferPointer<UInt32> {
    precondition(y >= 0 && y < height)
    return UnsafeBufferPointer(start: pixels + y * stride, count: width)
  }

  private var whole: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Returns the smallest rectangle with all pixels of a part that are not transparent.
  package func content(of part: PixelRect) -> PixelRect {
    let part = part.intersection(whole)
    let (start, end) = (part.x, part.x + part.width)
    var (left, right, top, bottom) = (end, start, part.y + part.height, part.y)
    for y in part.y..<(part.y + part.height) {
      let row = pixels + y * stride
      var first = start
      while first < end, row[first] == 0 { first += 1 }
      guard first < end else { continue }
      var last = end
      while row[last - 1] == 0 { last -= 1 }
      left = min(left, first)
      right = max(right, last)
      top = min(top, y)
      bottom = y + 1
    }
    return PixelRect(
      x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Copies a part to rows of its width. What is outside of these pixels is left as it is.
  package func copy(_ part: PixelRect, to target: UnsafeMutablePointer<UInt32>) {
    let inside = part.intersection(whole)
    guard !inside.isEmpty else { return }
    for y in inside.y..<(inside.y + inside.height) {
      (target + (y - part.y) * part.width + (inside.x - part.x))
        .update(from: pixels + y * stride + inside.x, count: inside.width)
    }
  }
}
