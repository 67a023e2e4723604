import Codec
import Runtime

/// Gets the messages of the running agent.
protocol ControlConnectionDelegate: AnyObject {
  /// A line of valid JSON; valid until this returns.
  func controlLineReceived(_ line: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>)
  /// The connection has ended: by the agent, by us, or because of invalid data.
  func controlEnded()
}

/// A connection to the running agent over its local socket: lines of JSON both ways, on a loop.
final class ControlConnection: DescriptorHandler {
  private let loop: Loop
  private let input: ReservedBuffer
  private var inputCount = 0
  private let output = FixedBuffer(capacity: 2 * Budget.controlLineBytes)
  private var outputCount = 0
  private var socket: Descriptor?
  /// The agent's process, according to the kernel; 0 before the first connection.
  private(set) var agent: Int32 = 0
  unowned(unsafe) var delegate: any ControlConnectionDelegate

  /// `lineBytes`: the longest line of the agent; a longer one ends the connection.
  init(loop: Loop, lineBytes: Int, delegate: any ControlConnectionDelegate) throws(Errno) {
    self.loop = loop
    self.delegate = delegate
    input = try ReservedBuffer(capacity: lineBytes)
  }

  var isOpen: Bool { socket != nil }

  /// Connects to the agent that runs with this folder.
  func open(folder: String) throws(Errno) {
    let path = try Path(folder)
    try path.append("/control")
    let socket = try Syscall.localSocket()
    do throws(Errno) {
      try Syscall.connect(socket, to: path)
      agent = try Self.peer(socket, folder)
      try loop.watch(socket, for: .readable, self)
    } catch {
      socket.close()
      throw error
    }
    self.socket = socket
    (inputCount, outputCount) = (0, 0)
  }

  /// Checks the process that listens. In another user's folder it must belong to that user: a link in place of the
  /// socket could lead to another program, which would take root's requests for its own protocol.
  private static func peer(_ socket: Descriptor, _ folder: String) throws(Errno) -> Int32 {
    let (user, process) = try Syscall.peer(socket)
    let owner = try Syscall.status(Path(folder)).user
    guard owner == 0 || owner == user else { throw .notPermitted }
    return process
  }

  /// Ends the connection; the delegate is not called.
  func close() {
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
    input.release()
  }

  /// Sends a request: `members` writes its members after `op` and `id`. False when it is longer than a line may be, or
  /// the agent accepts nothing.
  func ask(_ operation: StaticString, id: Int64, _ members: (inout JSONWriter) -> Void = { _ in }) -> Bool {
    guard isOpen else { return false }
    let room = output.bytes.count - outputCount
    var writer = JSONWriter(into: UnsafeMutableBufferPointer(rebasing: output.bytes[outputCount...]))
    writer.beginObject()
    writer.key("op")
    writer.string(operation)
    writer.key("id")
    writer.int(id)
    members(&writer)
    writer.endObject()
    guard writer.count < min(room, Budget.controlLineBytes) else { return false }
    output.bytes[outputCount + writer.count] = UInt8(ascii: "\n")
    outputCount += writer.count + 1
    write()
    return true
  }

  private func end() {
    guard isOpen else { return }
    close()
    delegate.controlEnded()
  }

  // MARK: Socket

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.writable) { write() }
    if readiness.contains(.readable) || readiness.contains(.failed) { read() }
  }

  private func write() {
    guard let socket else { return }
    do throws(Errno) {
      var sent = 0
      while sent < outputCount {
        do throws(Errno) {
          let rest = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[sent..<outputCount])
          sent += try Syscall.send(socket, rest)
        } catch {
          guard error == .wouldBlock else { throw error }
          break
        }
      }
      for index in sent..<outputCount { output.bytes[index - sent] = output.bytes[index] }
      outputCount -= sent
      try loop.change(socket, to: outputCount > 0 ? [.readable, .writable] : .readable)
    } catch {
      end()
    }
  }

  private func read() {
    guard let socket else { return }
    do throws(Errno) {
      let free = UnsafeMutableBufferPointer(rebasing: input.bytes[inputCount...])
      let count = try Syscall.receiveStream(socket, into: free)
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
      let line = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[start..<index])
      guard Self.isJSON(line) else { return end() }
      delegate.controlLineReceived(JSONView(Span(_unsafeElements: line)), line)
      // The delegate may have closed it.
      guard isOpen else { return }
      start = index + 1
    }
    for index in start..<inputCount { buffer[index - start] = buffer[index] }
    inputCount -= start
    if inputCount == buffer.count { end() }
  }

  private static func isJSON(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: line), depthLimit: Budget.jsonDepth + 2)
      return true
    } catch {
      return false
    }
  }
}
