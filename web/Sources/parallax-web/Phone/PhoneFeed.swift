// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NIOCore
import NIOPosix
import ParallaxWebCore

/// The samples of the phone in the seat, on their way to the daemon: one connection to the control socket, which
/// sends FEED and SAMPLES and nothing else.
actor PhoneFeed {
  /// The daemon refuses the samples.
  struct Refused: Error {
    let message: String
  }

  private let sockets: [String]
  private var opening: Task<DaemonConnection, any Error>?
  /// Waits for the answer to FEED.
  private var beginning: CheckedContinuation<Void, any Error>?
  /// The newest state of the daemon's device.
  private var device = "idle"
  private var lastMessage: String?
  /// Counts the connections, to ignore late lines of an earlier one.
  private var number = 0

  /// How long the daemon may take for its answer.
  private static let patience = TimeAmount.seconds(5)

  init(sockets: [String]) {
    self.sockets = sockets
  }

  /// Sends samples, and FEED first if necessary.
  ///
  /// - Returns: The state of the daemon's device: `streaming`, or `idle` while no one subscribes.
  func send(_ samples: PhoneSamples, from name: String) async throws -> String {
    let task = opening ?? Task { try await open(name) }
    opening = task
    let connection: DaemonConnection
    do { connection = try await task.value } catch {
      if opening == task { opening = nil }
      throw error
    }
    connection.send(samples.lines())
    return device
  }

  /// Ends the connection, and the feed with it.
  func end() {
    number += 1
    if let opening {
      Task { try? await opening.value.close() }
    }
    opening = nil
    finish(Refused(message: "the phone has disconnected"))
  }

  private func open(_ name: String) async throws -> DaemonConnection {
    number += 1
    let own = number
    let connection: DaemonConnection
    do { connection = try await DaemonConnection.open(sockets) } catch {
      throw Refused(message: error.message)
    }
    guard own == number else {
      connection.close()
      throw Refused(message: "the phone has disconnected")
    }
    device = "idle"
    lastMessage = nil
    let late = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(
      in: Self.patience, connection.close)
    defer { late.cancel() }
    let request = "{\"class\":\"FEED\",\"name\":\(JSONText.quoted(name)),\"clock\":\"sender\"}\n"
    do {
      try await withCheckedThrowingContinuation { continuation in
        beginning = continuation
        Task.detached {
          try? await connection.exchange(ByteBuffer(string: request)) { line in
            await self.receive(Array(line.readableBytesView), own)
          }
          await self.end(own)
        }
      }
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// The fields of the daemon's lines that matter here.
  private struct Answer: Decodable {
    let `class`: String
    let state: String?
    let message: String?
    let code: String?
  }

  /// Reads a line of the daemon. Returns false at the end of the feed.
  private func receive(_ line: [UInt8], _ own: Int) -> Bool {
    guard own == number else { return false }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { return true }
    switch answer.class {
    case "ACK":
      beginning?.resume()
      beginning = nil
    case "DEVICE":
      device = answer.state ?? device
    case "ERROR":
      lastMessage = answer.message ?? "the daemon refuses"
      // The daemon drops a malformed sample, and the feed continues.
      return answer.code == "bad-request" && beginning == nil
    default: break
    }
    return true
  }

  private func end(_ own: Int) {
    guard own == number else { return }
    opening = nil
    finish(Refused(message: lastMessage ?? "the daemon ended the connection"))
  }

  private func finish(_ error: Refused) {
    beginning?.resume(throwing: error)
    beginning = nil
  }
}
