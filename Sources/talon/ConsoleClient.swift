import Codec
import Runtime

/// One question to the running agent over its local socket.
final class ConsoleClient: DescriptorHandler, TimerHandler {
  /// Milliseconds without a word until the agent is given up: longer than the agent itself waits for the gateway.
  private static let patience: Int64 = 90_000
  private static let replyPatience: Int64 = 660_000

  private let clock = SystemClock()
  private let loop: Loop
  private let socket: Descriptor
  private let input: ReservedBuffer
  private var inputCount = 0
  private var output: [UInt8] = []
  private var signals: Signals?
  /// The person at the console has had enough.
  private(set) var isInterrupted = false
  /// A reply comes in pieces, and can be stopped.
  private var isChat = false
  private var answer: [UInt8]?
  private var failure: Failure?

  /// Connects to the agent that runs with this folder.
  init(folder: String) throws(Failure) {
    do throws(Errno) {
      let path = try Path(folder)
      try path.append("/control")
      input = try ReservedBuffer(capacity: Budget.controlOutputBytes)
      loop = try Loop(clock: clock)
      socket = try Syscall.localSocket()
      try Syscall.connect(socket, to: path)
      try loop.watch(socket, for: .readable, self)
    } catch {
      throw Failure(.unavailable, Self.words(for: error))
    }
  }

  private static func words(for reason: Errno) -> String {
    switch reason {
    case .noSuchFile, .connectionRefused: "not running: no agent runs with this configuration"
    case .wouldBlock: "the agent has more to do with other consoles; try again"
    default: "the agent cannot be reached: \(String(reason.text))"
    }
  }

  /// Asks, prints a reply's pieces as they come, and returns the line that ends the call. `members` writes the request.
  func ask(
    _ operation: StaticString, isChat: Bool = false, _ members: (inout JSONWriter) -> Void
  ) throws(Failure) -> [UInt8] {
    let request = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.controlLineBytes)
    defer { request.deallocate() }
    var writer = JSONWriter(into: request)
    writer.beginObject()
    writer.key("op")
    writer.string(operation)
    writer.key("id")
    writer.int(1)
    members(&writer)
    writer.endObject()
    guard writer.count < Budget.controlLineBytes else { throw Failure(.usage, "that is too long") }
    output += request[..<writer.count]
    output.append(UInt8(ascii: "\n"))
    self.isChat = isChat
    try run()
    if let answer { return answer }
    throw failure ?? Failure(.temporary, "the agent ended the connection; other consoles may be using it")
  }

  private func run() throws(Failure) {
    do throws(Errno) {
      let relay = ConsoleRelay()
      signals = try Signals(loop: loop) { _ in relay.client?.interrupted() }
      relay.client = self
      setTimer()
      write()
      try loop.run()
      relay.client = nil
    } catch {
      throw Failure(.system, "waiting for the agent failed: \(String(error.text))")
    }
    loop.cancelTimer(TimerID(0), of: self)
    loop.unwatch(socket)
    socket.close()
    signals?.close()
  }

  private func setTimer() {
    let patience = isChat ? Self.replyPatience : Self.patience
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + patience)
  }

  private func end(_ failure: Failure? = nil) {
    self.failure = failure
    loop.stop()
  }

  func timerFired(_ id: TimerID) { end(Failure(.temporary, "the agent does not answer")) }

  /// The first time a reply is stopped at the gateway; the second time nobody waits for that.
  fileprivate func interrupted() {
    let isAgain = isInterrupted
    isInterrupted = true
    guard isChat, !isAgain else { return end(Failure(.temporary, "interrupted")) }
    output += Array("{\"op\":\"chat-abort\",\"id\":2,\"chat\":1}\n".utf8)
    write()
  }

  // MARK: Socket

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.writable) { write() }
    if readiness.contains(.readable) || readiness.contains(.failed) { read() }
  }

  private func write() {
    do throws(Errno) {
      while !output.isEmpty {
        let bytes = output
        var count = 0
        var failure: Errno?
        bytes.withUnsafeBufferPointer { bytes in
          do throws(Errno) { count = try Syscall.send(socket, bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        output.removeFirst(count)
      }
      try loop.change(socket, to: .readable)
    } catch {
      guard error == .wouldBlock else { return end() }
      do throws(Errno) { try loop.change(socket, to: [.readable, .writable]) } catch { end() }
    }
  }

  private func read() {
    let buffer = input.bytes
    do throws(Errno) {
      let count = try Syscall.receiveStream(socket, into: UnsafeMutableBufferPointer(rebasing: buffer[inputCount...]))
      if count == 0 { return end() }
      let start = inputCount
      inputCount += count
      takeLines(newFrom: start)
    } catch {
      if error != .wouldBlock { end() }
    }
  }

  private func takeLines(newFrom: Int) {
    let buffer = input.bytes
    var start = 0
    for index in newFrom..<inputCount where buffer[index] == UInt8(ascii: "\n") {
      if answer == nil { take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[start..<index])) }
      start = index + 1
    }
    for index in start..<inputCount { buffer[index - start] = buffer[index] }
    inputCount -= start
    if inputCount == buffer.count { end() }
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    setTimer()
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: line), depthLimit: Budget.jsonDepth + 2)
    } catch {
      return end()
    }
    let root = JSONView(Span(_unsafeElements: line))
    guard let id = root.member("id"), let type = root.member("type") else { return }
    // A line without a call of ours is about the connection.
    let number = id.int64 ?? 0
    if number > 1 { return }
    if type.equals("text") { return show(root, "") }
    if type.equals("replacement") { return show(root, "\n[the agent began anew]\n") }
    if type.equals("cut") { return Console.err("\n[a part of the reply was too long and is missing]") }
    if type.equals("started") { return }
    answer = Array(line)
    end()
  }

  private func show(_ line: borrowing JSONView, _ before: String) {
    guard let member = line.member("text"), let length = member.stringLength else { return }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: before.utf8.count + length)
    defer { text.deallocate() }
    var count = 0
    for byte in before.utf8 {
      text[count] = byte
      count += 1
    }
    _ = member.copyString(into: UnsafeMutableBufferPointer(rebasing: text[count...]))
    Console.piece(text)
  }
}

/// Breaks the circle between the signals and the client.
private final class ConsoleRelay {
  var client: ConsoleClient?
}
