import Runtime

/// Gets the input of a terminal.
protocol TerminalPortDelegate: AnyObject {
  func terminalReceived(_ bytes: Span<UInt8>)
  /// Output may be sent again.
  func terminalIsWritable()
  /// The terminal was disconnected: the line was hung up, or the USB port unplugged.
  func terminalClosed()
}

/// The terminal of this program: raw, nonblocking, and sent no more bytes per second than its line transmits.
final class TerminalPort: DescriptorHandler, TimerHandler {
  private static let readTimer = TimerID(0), sendTimer = TimerID(1)

  private let loop: Loop
  private let clock: any Clock
  private let file: Descriptor
  private let port: Descriptor
  private let settings: TerminalSettings
  private let baud: UInt32?
  private let input = FixedBuffer(capacity: Budget.consoleReadBytes)
  /// The part of an update that the kernel has not accepted yet.
  let output = FixedBuffer(capacity: Budget.consoleFrameBytes)
  private var waiting = 0..<0
  private var sending: RateLimiter
  private var reading: RateLimiter
  private var lastSent: Int64 = 0
  private var isClosed = false
  unowned(unsafe) var delegate: any TerminalPortDelegate
  /// Bytes that were sent so far.
  private(set) var sent: UInt64 = 0

  /// Opens a terminal. `baud`: the speed to set; nil to leave it.
  init(
    _ file: Descriptor, loop: Loop, clock: any Clock, baud: UInt32?, delegate: any TerminalPortDelegate
  ) throws(Errno) {
    self.file = file
    self.loop = loop
    self.clock = clock
    self.baud = baud
    self.delegate = delegate
    // The flags of a shared descriptor stay as they are. Without access to the terminal's file the descriptor is used
    // anyway; then a blocked line blocks the console, but no other program.
    do throws(Errno) {
      port = try Syscall.reopen(file, [.readWrite, .nonBlocking, .noControllingTerminal])
    } catch {
      port = file
    }
    let bytesPerSecond = min(Int(baud ?? 115_200), 115_200) * Budget.consoleBytesPerSecond / 115_200
    sending = RateLimiter(perSecond: bytesPerSecond, burst: Budget.consoleFrameBytes)
    reading = RateLimiter(
      perSecond: Budget.consoleReadBytesPerSecond, burst: Budget.consoleReadBytesPerSecond / 4)
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

  /// Restores the terminal's settings.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.cancelTimer(Self.readTimer, of: self)
    loop.cancelTimer(Self.sendTimer, of: self)
    loop.unwatch(port)
    do throws(Errno) { try Syscall.restoreTerminal(port, settings) } catch {}
    if port != file { port.close() }
  }

  /// Lends the terminal to another program, and takes it back after its end. The program gets a descriptor that it can
  /// read, write and poll; this one's own may be read-only.
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
      // Without access to the file the descriptor is used as it was given.
      return body(file)
    }
    body(lent)
    lent.close()
  }

  // MARK: Sending

  /// Bytes that an update may have now; 0 until `terminalIsWritable`.
  func room(atLeast least: Int) -> Int {
    guard waiting.isEmpty, !isClosed else { return 0 }
    let now = clock.monotonic
    let bytes = sending.available(at: now)
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
      if waiting.isEmpty, !isClosed { delegate.terminalIsWritable() }
    }
    if readiness.contains(.readable), !isClosed { read() }
  }

  private func read() {
    let now = clock.monotonic
    guard reading.available(at: now) > 0 else { return pauseReading(now) }
    do throws(Errno) {
      let count = try Syscall.read(port, into: UnsafeMutableRawBufferPointer(input.bytes))
      reading.spend(count)
      if count > 0 {
        let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(input.bytes)[..<count])
        delegate.terminalReceived(Span(_unsafeElements: bytes))
      }
    } catch {
      if error != .wouldBlock { gone() }
    }
  }

  /// Input is faster than a person can type or paste: what the kernel has no room for is lost.
  private func pauseReading(_ now: Int64) {
    do throws(Errno) {
      try loop.change(port, to: waiting.isEmpty ? [] : .writable)
      loop.setTimer(Self.readTimer, of: self, at: now + 50)
    } catch {
      gone()
    }
  }

  func timerFired(_ id: TimerID) {
    if id == Self.sendTimer { return delegate.terminalIsWritable() }
    do throws(Errno) {
      try loop.change(port, to: waiting.isEmpty ? .readable : [.readable, .writable])
    } catch {
      gone()
    }
  }

  private func gone() {
    guard !isClosed else { return }
    close()
    delegate.terminalClosed()
  }
}
