import CLinux
import Glibc
import Runtime
import Testing

@Suite struct SignalsTests {
  /// Runs `body` on a thread of its own, so that the signals that it blocks stay blocked there only.
  private func onThread(_ body: @escaping () -> Void) {
    final class Box {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    let thread = tl_thread_start(
      { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body() }, box.toOpaque(), 512 * 1024)
    tl_thread_join(thread)
  }

  /// What is delivered when this thread, and no other, gets `signals`. As with signals to the whole process, but
  /// those would reach the threads of other tests.
  private func delivered(_ signals: [Int32]) -> [ProcessSignal] {
    var heard: [ProcessSignal] = []
    onThread {
      do throws(Errno) {
        let clock = ManualClock()
        let loop = try Loop(clock: clock)
        let source = try Signals(loop: loop) { heard.append($0) }
        for signal in signals { pthread_kill(pthread_self(), signal) }
        let alarm = Alarm()
        var turns = 0
        try loop.run {
          loop.setTimer(TimerID(1), of: alarm, at: clock.monotonic)
          turns += 1
          if turns == 3 { loop.stop() }
        }
        source.close()
      } catch {
        Issue.record(error)
      }
    }
    return heard
  }

  private final class Alarm: TimerHandler {
    func timerFired(_ id: TimerID) {}
  }

  @Test(
    "TERM and INT ask to stop, HUP asks to read the configuration again",
    arguments: [(SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload)] as [(Int32, ProcessSignal)])
  func meaning(signal: Int32, meaning: ProcessSignal) {
    #expect(delivered([signal]) == [meaning])
  }

  @Test("signals that come together are all told at once, none twice")
  func together() {
    #expect(
      delivered([SIGHUP, SIGHUP, SIGTERM]).sorted { $0 == .reload && $1 == .stop } == [.reload, .stop])
  }

  @Test("a broken pipe is no reason to die")
  func pipe() {
    #expect(delivered([SIGPIPE]) == [])
  }

  @Test("no signal without a meaning here ends the program: timers, I/O, limits, power, and the realtime signals")
  func meaningless() {
    var signals = [SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2]
    // __libc_current_sigrtmin() is 34 and SIGRTMAX is 64 in glibc on Linux.
    for number: Int32 in 34...64 { signals.append(number) }
    #expect(delivered(signals) == [])
  }

  @Test("SIGXFSZ is ignored, so that a write beyond the limit of a file's size is an error (EFBIG)")
  func fileSize() {
    #expect(delivered([]) == [])
    var action = sigaction()
    #expect(sigaction(SIGXFSZ, nil, &action) == 0)
    #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1)
  }

  @Test("after closing, nothing is watched and nothing stays open")
  func close() {
    onThread {
      let injector = FaultInjector.record {
        do throws(Errno) {
          let loop = try Loop(clock: ManualClock())
          try Signals(loop: loop) { _ in }.close()
        } catch {
          Issue.record(error)
        }
      }
      #expect(injector.leaked == [])
    }
  }

  @Test("each refusal of the kernel at the start is reported, and leaves nothing open", arguments: 0..<3)
  func refused(index: Int) {
    onThread {
      var failure: Errno?
      let injector = FaultInjector.fail(index, .outOfMemory) {
        failure = reason { () throws(Errno) in
          let loop = try Loop(clock: ManualClock())
          _ = try Signals(loop: loop) { _ in }
        }
      }
      #expect(failure == .outOfMemory)
      #expect(injector.leaked == [])
    }
  }
}
