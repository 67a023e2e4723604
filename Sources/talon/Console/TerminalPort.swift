import Runtime
import Terminal

/// Told what a terminal sends.
protocol TerminalPortDelegate: AnyObject {
  func terminalSent(_ bytes: Span<UInt8>)
  /// Something may be sent now.
  func terminalTakes()
  /// The terminal is gone: a line that was hung up, a USB port that was unplugged.
  func terminalGone()
}

/// The terminal of this program: raw, never waited for, and sent no more bytes a second than its line carries.
final class TerminalPort: DescriptorHandler, TimerHandler {
  private static let readTimer = TimerID(0), sendTimer = TimerID(1)

  private let loop: Loop
  private let clock: any Clock
  private let file: Descriptor
  private let port: Descriptor
  private let settings: TerminalSettings
  private let baud: UInt32?
  private let input = FixedBuffer(capacity: Budget.consoleReadBytes)
  /// An update, as far as the kernel has not taken it.
  let output = FixedBuffer(capacity: Budget.consoleFrameBytes)
  private var waiting = 0..<0
  private var sending: LineAllowance
  private var reading: LineAllowance
  private var lastSent: Int64 = 0
  private var isClosed = false
  unowned(unsafe) var delegate: any TerminalPortDelegate
  /// Bytes that were sent so far.
  private(set) var sent: UInt64 = 0

  /// Takes over a terminal. `baud`: the speed to set; nil leaves it.
  init(
    _ file: Descriptor, loop: Loop, clock: any Clock, baud: UInt32?, delegate: any TerminalPortDelegate
  ) throws(Errno) {
    self.file = file
    self.loop = loop
    self.clock = clock
    self.baud = baud
    self.delegate = delegate
    // The flags of a descriptor that others have as well stay as they are. Who may not open the terminal has it all the
    // same; then a line that is blocked makes the console wait, and nobody else.
    do throws(Errno) {
      port = try Syscall.reopen(file, [.readWrite, .nonBlocking, .noControllingTerminal])
    } catch {
      port = file
    }
    let bytesPerSecond = min(Int(baud ?? 115_200), 115_200) * Budget.consoleBytesPerSecond / 115_200
    sending = LineAllowance(bytesPerSecond: bytesPerSecond, burst: Budget.consoleFrameBytes)
    reading = LineAllowance(bytesPerSecond: Budget.consoleReadBytesPerSecond, burst: Budget.consoleReadBytesPerSecond / 4)
    settings = try Syscall.makeTerminalRaw(port)
    if let baud { try Syscall.makeSerialRaw(port, baud: baud) }
    try loop.watch(port, for: .readable, self)
  }

  /// Rows and columns, as far as they are used.
  var size: (rows: Int, columns: Int) {
    do throws(Errno) {
      let size = try Syscall.terminalSize(port)
      guard size.rows > 0, size.columns > 0 else { return (Budget.consoleUsualRows, Budget.consoleUsualColumns) }
      return (min(size.rows, Budget.consoleRows), min(size.columns, Budget.consoleColumns))
    } catch {
      return (Budget.consoleUsualRows, Budget.consoleUsualColumns)
    }
  }

  /// Leaves the terminal as it was found.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.cancelTimer(Self.readTimer, of: self)
    loop.cancelTimer(Self.sendTimer, of: self)
    loop.unwatch(port)
    do throws(Errno) { try Syscall.restoreTerminal(port, settings) } catch {}
    if port != file { port.close() }
  }

  /// Gives the terminal to another program, and takes it back behind it. The program gets a descriptor that it can read and
  /// write, and wait on; this one's own may have been opened for reading only.
  func lend(_ body: (Descriptor) -> Void) {
    do throws(Errno) {
      try Syscall.restoreTerminal(port, settings)
      lendOwn(body)
      _ = try Syscall.makeTerminalRaw(port)
      if let baud { try Syscall.makeSerialRaw(port, baud: baud) }
    } catch {
      gone()
    }
  }

  private func lendOwn(_ body: (Descriptor) -> Void) {
    let lent: Descriptor
    do throws(Errno) {
      lent = try Syscall.reopen(file, [.readWrite, .noControllingTerminal])
    } catch {
      // Who may not open it may use it as it was given.
      return body(file)
    }
    body(lent)
    lent.close()
  }

  // MARK: Sending

  /// Bytes that an update may have now; 0: not yet, `terminalTakes` tells.
  func room(atLeast least: Int) -> Int {
    guard waiting.isEmpty, !isClosed else { return 0 }
    let now = clock.monotonic
    let bytes = sending.bytes(at: now)
    let wait = max(sending.wait(for: least), lastSent + Budget.consoleFrameMilliseconds - now)
    if wait > 0 {
      loop.setTimer(Self.sendTimer, of: self, at: now + wait)
      return 0
    }
    return min(bytes, output.bytes.count)
  }

  /// Sends the first bytes of `output`.
  func send(_ count: Int) {
    guard count > 0 else { return }
    sending.spend(count)
    lastSent = clock.monotonic
    sent &+= UInt64(count)
    waiting = 0..<count
    write()
  }

  private func write() {
    do throws(Errno) {
      while !waiting.isEmpty {
        let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[waiting]))
        waiting = waiting.lowerBound + (try Syscall.write(port, rest))..<waiting.upperBound
      }
      try loop.change(port, to: .readable)
    } catch {
      guard error == .wouldBlock else { return gone() }
      do throws(Errno) { try loop.change(port, to: [.readable, .writable]) } catch { gone() }
    }
  }

  // MARK: Receiving

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.failed) { return gone() }
    if readiness.contains(.writable) {
      write()
      if waiting.isEmpty, !isClosed { delegate.terminalTakes() }
    }
    if readiness.contains(.readable), !isClosed { read() }
  }

  private func read() {
    let now = clock.monotonic
    guard reading.bytes(at: now) > 0 else { return pauseReading(now) }
    do throws(Errno) {
      let count = try Syscall.read(port, into: UnsafeMutableRawBufferPointer(input.bytes))
      reading.spend(count)
      if count > 0 {
        let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(input.bytes)[..<count])
        delegate.terminalSent(Span(_unsafeElements: bytes))
      }
    } catch {
      if error != .wouldBlock { gone() }
    }
  }

  /// More comes than a person can type or paste: what the kernel has no room for meanwhile is lost.
  private func pauseReading(_ now: Int64) {
    do throws(Errno) {
      try loop.change(port, to: waiting.isEmpty ? [] : .writable)
      loop.setTimer(Self.readTimer, of: self, at: now + 50)
    } catch {
      gone()
    }
  }

  func timerFired(_ id: TimerID) {
    if id == Self.sendTimer { return delegate.terminalTakes() }
    do throws(Errno) {
      try loop.change(port, to: waiting.isEmpty ? .readable : [.readable, .writable])
    } catch {
      gone()
    }
  }

  private func gone() {
    guard !isClosed else { return }
    close()
    delegate.terminalGone()
  }
}
