/// One client's end of a socket, as the services see it. The real one is `SocketConnection`.
package protocol Connection: AnyObject {
  /// Gives bytes away as far as there is room now; nil where the peer is gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int?
  /// Whether to be told when there is room again.
  var wantsWritable: Bool { get set }
  /// No more input is looked at.
  func stopReading()
  func close()
}
