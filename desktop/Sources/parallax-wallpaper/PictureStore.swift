// SPDX-License-Identifier: Apache-2.0

import CWayland
import ParallaxWallpaperCore

/// A picture for outputs of one size and scale, drawn in the background. Without references it is dropped, also
/// while it is drawn.
final class Drawing {
  /// A layer that the compositor can show.
  struct Layer {
    let depth: Double
    let placement: LayerPlacement
    let buffer: ImageBuffer
  }

  let picture: Picture
  let fit: Fit
  /// nil until all are drawn; without those that could not be.
  private(set) var layers: [Layer]?
  /// Why layers are missing.
  private(set) var errors: [WallpaperError] = []
  private let job: BackgroundJob<Result<[FittedLayer], WallpaperError>>?

  fileprivate init(_ picture: Picture, _ fit: Fit, pool: WorkerPool) {
    self.picture = picture
    self.fit = fit
    do throws(WallpaperError) {
      let pieces = try picture.pieces(fit)
      job = pool.start(pieces: pieces.count) { index in
        Result { () throws(WallpaperError) in try pieces[index].layers(fit) }
      }
    } catch {
      job = nil
      layers = []
      errors = [error]
    }
  }

  deinit { job?.cancel() }

  /// Hands the layers that the threads have drawn to the compositor. Returns whether the picture is complete.
  fileprivate func collect(_ shm: OpaquePointer?) -> Bool {
    guard layers == nil, let outputs = job?.outputs else { return false }
    var layers: [Layer] = []
    for output in outputs {
      switch output {
      case .success(let fitted):
        layers += fitted.map {
          Layer(depth: $0.depth, placement: $0.placement, buffer: ImageBuffer(shm, $0.pixels))
        }
      case .failure(let error): errors.append(error)
      }
    }
    self.layers = layers
    // The pixels are the compositor's now.
    job?.cancel()
    return true
  }
}

/// Draws each picture once per size and scale, for all outputs that have it.
final class PictureStore {
  private struct Entry {
    weak var drawing: Drawing?
  }

  private let shm: OpaquePointer?
  private let pool: WorkerPool
  private var entries: [Entry] = []

  init(_ shm: OpaquePointer?, pool: WorkerPool) {
    self.shm = shm
    self.pool = pool
  }

  /// Returns a picture for a size and scale, and begins to draw it unless it is there.
  func drawing(_ picture: Picture, _ fit: Fit) -> Drawing {
    let known = entries.lazy.compactMap(\.drawing)
    if let drawing = known.first(where: { $0.picture === picture && $0.fit == fit }) {
      return drawing
    }
    let drawing = Drawing(picture, fit, pool: pool)
    entries.removeAll { $0.drawing == nil }
    entries.append(Entry(drawing: drawing))
    return drawing
  }

  /// Collects drawn layers of all pictures. Returns whether another picture is complete.
  func collect() -> Bool {
    var isReady = false
    for entry in entries where entry.drawing?.collect(shm) == true { isReady = true }
    return isReady
  }
}
