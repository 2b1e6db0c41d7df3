import ParallaxMotion
import ParallaxWire

/// A message as the daemon writes it, without the line feed.
func lineText(_ message: StreamMessage) -> String {
  var buffer = OutputBuffer()
  buffer.appendLine(message)
  return String(buffer.text.dropLast())
}

/// An answer as the daemon writes it, without the line feed.
func answerLine(_ answer: ControlAnswer) -> String {
  var buffer = OutputBuffer()
  buffer.appendLine(answer)
  return String(buffer.text.dropLast())
}
