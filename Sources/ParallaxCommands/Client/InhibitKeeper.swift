import Glibc
import ParallaxClient

/// Holds the connection that an inhibition lasts as long as, on a thread of its own until the
/// process ends. Where the daemon goes, it asks the next one: what is typed into the command shall
/// not move a picture only because a daemon was started again.
final class InhibitKeeper {
  private var client: ControlClient
  private let request: ControlRequest
  private let paths: [String]

  private init(_ client: consuming ControlClient, _ request: ControlRequest, _ paths: [String]) {
    self.client = client
    self.request = request
    self.paths = paths
  }

  static func keep(_ client: consuming ControlClient, request: ControlRequest, paths: [String]) {
    var thread = pthread_t()
    // Handed over: nobody but the thread knows it from here on.
    let keeper = Unmanaged.passRetained(InhibitKeeper(client, request, paths))
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<InhibitKeeper>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, keeper.toOpaque())
    // Without a thread the keeper is never released, so the connection stays all the same.
    if code == 0 { pthread_detach(thread) }
  }

  private func run() {
    // The main thread takes the process's signals.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    while true {
      do {
        while try client.next() != nil {}
      } catch {
        // A connection that failed has ended too.
      }
      Console.report("the daemon has gone; the inhibition is renewed as soon as there is another")
      guard renew() else { return }
    }
  }

  /// Tries until a daemon takes the inhibition, or refuses it.
  private func renew() -> Bool {
    var waitMilliseconds: Int32 = 50
    while true {
      do {
        var next = try ControlClient(toFirstOf: paths)
        _ = try next.ask(request).accepted()
        client = next
        return true
      } catch let failure as CommandFailure {
        Console.report("the inhibition is not renewed: \(failure.message)")
        return false
      } catch {
        _ = poll(nil, 0, waitMilliseconds)
        waitMilliseconds = min(waitMilliseconds * 2, 1_000)
      }
    }
  }
}
