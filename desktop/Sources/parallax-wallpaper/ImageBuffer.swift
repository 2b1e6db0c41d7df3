// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// Pixels in memory that the compositor can map, too. Any thread may fill it.
final class SharedPixels: Sendable {
  let width: Int
  let height: Int
  let file: Int32

  /// Fills new memory.
  ///
  /// - Parameter draw: Writes rows of `width` pixels, 0xAARRGGBB with premultiplied alpha; they are 0.
  init(
    width: Int, height: Int, draw: (UnsafeMutablePointer<UInt32>) -> Void
  ) throws(WallpaperError) {
    self.width = width
    self.height = height
    let bytes = width * height * 4
    func failure(_ reason: String) -> WallpaperError {
      WallpaperError("no memory for a picture of \(width) x \(height) pixels: \(reason)")
    }
    guard bytes > 0, bytes <= Int32.max else { throw failure("too large") }
    let file = cwayland_memory_file("parallax-wallpaper", bytes)
    guard file >= 0 else { throw failure(String(cString: strerror(errno))) }
    self.file = file
    guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw failure(String(cString: strerror(errno))) }
    memory.withMemoryRebound(to: UInt32.self, capacity: width * height, draw)
    munmap(memory, bytes)
  }

  deinit { close(file) }
}

/// Pixels that the compositor shows. It reads them from memory that both share, and may upload them once.
final class ImageBuffer {
  let object: OpaquePointer

  init(_ shm: OpaquePointer?, _ pixels: SharedPixels) {
    let (width, height) = (Int32(pixels.width), Int32(pixels.height))
    // The compositor keeps its own mapping.
    let pool = wl_shm_create_pool(shm, pixels.file, width * height * 4)
    object = wl_shm_pool_create_buffer(
      pool, 0, width, height, width * 4, WL_SHM_FORMAT_ARGB8888.rawValue)
    wl_shm_pool_destroy(pool)
  }

  deinit { wl_buffer_destroy(object) }
}
