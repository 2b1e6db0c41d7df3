// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

// Which layer plays: the one whose motion is the motion of the file.

extension LottieFile {
  /// Returns the layer that moves most of the picture: the one that carries the most layers that are drawn,
  /// itself included; the first, if several carry as many. A group of shapes, which is only a part of a
  /// layer, plays if no layer moves, and what only fades if nothing else does.
  func driver() throws(JSONShapeError) -> Int {
    let carried = carriedLayers()
    var best: (place: Int, rank: (Int, Int, Int))?
    for place in layers.indices {
      let (transform, frames) = (transform(of: place), playedFrames[place])
      guard transform.changes(in: frames) else { continue }
      let rank = (
        transform.moves(in: frames) ? 1 : 0, layers[place].group == nil ? 1 : 0, carried[place]
      )
      if let best, best.rank >= rank { continue }
      best = (place, rank)
    }
    if let best { return best.place }
    var message =
      "no layer moves in frames \(SettingText.text(inFrame)) to \(SettingText.text(outFrame))"
    if let layer = layers.first(where: \.transform.hasKeyframes) {
      message += "; \(layer.title) has keyframes, but none of them changes it then"
    }
    throw JSONShapeError(
      path: "$.layers",
      message: message
        + "; animate the position, rotation, scale or opacity of a layer, because shapes, "
        + "images and text are not played")
  }

  /// The name of what plays for a layer: the layer, or a group of its shapes.
  func title(of place: Int) -> String {
    let layer = layers[place]
    return layer.group.map { "\($0.title) of \(layer.label)" } ?? layer.title
  }

  /// Returns the transform that plays for a layer.
  func transform(of place: Int) -> LottieTransform {
    layers[place].group?.transform ?? layers[place].transform
  }

  /// Returns whether what plays for a layer changes while the file plays.
  func changes(_ place: Int) -> Bool {
    transform(of: place).changes(in: playedFrames[place])
  }

  /// Returns the layers that carry a layer: its parent, that one's parent and so on, then the layer that
  /// shows their precomposition, and its carriers.
  func carriers(of place: Int) -> some Sequence<Int> {
    sequence(first: place) { layers[$0].parent ?? layers[$0].container }.dropFirst()
  }

  /// Returns the frames of each layer's own composition that play.
  static func playedFrames(
    of layers: [LottieLayer], in outer: ClosedRange<Double>
  ) -> [ClosedRange<Double>] {
    // Of the precomposition that a layer shows. Its layers follow that layer.
    var inner: [Int: ClosedRange<Double>] = [:]
    return layers.indices.map { place in
      let own = layers[place].container.flatMap { inner[$0] } ?? outer
      inner[place] = layers[place].clock?.frames(in: own)
      return own
    }
  }

  /// Returns the frames of a layer's own composition in a range of the file's frames.
  func frames(of place: Int, in outer: ClosedRange<Double>) -> ClosedRange<Double> {
    clocks(of: place).reduce(outer) { $1.frames(in: $0) }
  }

  /// Returns for each layer how many drawn ones it carries, itself included.
  private func carriedLayers() -> [Int] {
    // The layers of a precomposition follow the one that shows it.
    var isShown = layers.indices.map(isShown)
    for place in layers.indices {
      if let container = layers[place].container, !isShown[container] { isShown[place] = false }
    }
    var carried = layers.indices.map { isShown[$0] && layers[$0].isDrawn ? 1 : 0 }
    // Each layer is added to its carrier once all that it carries itself have been added to it.
    let carriers = layers.map { $0.parent ?? $0.container }
    var waiting = [Int](repeating: 0, count: layers.count)
    for case let carrier? in carriers { waiting[carrier] += 1 }
    var ready = layers.indices.filter { waiting[$0] == 0 }
    while let place = ready.popLast() {
      guard let carrier = carriers[place] else { continue }
      carried[carrier] += carried[place]
      waiting[carrier] -= 1
      if waiting[carrier] == 0 { ready.append(carrier) }
    }
    return carried
  }

  /// Returns whether a layer is shown in a frame that plays, if the one around it is.
  private func isShown(_ place: Int) -> Bool {
    let (layer, frames) = (layers[place], playedFrames[place])
    return layer.isShown && layer.inFrame < layer.outFrame && layer.inFrame <= frames.upperBound
      && layer.outFrame > frames.lowerBound
  }
}

extension LottieLayer {
  /// Whether it draws something. Of a precomposition, its layers do.
  fileprivate var isDrawn: Bool {
    switch kind {
    case .solid, .image, .shape, .text: true
    case .precomposition: composition == nil
    case .null, .audio, .camera, nil: false
    }
  }
}
