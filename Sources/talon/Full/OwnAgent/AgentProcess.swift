import Board
import Codec
import OwnAgent
import Runtime

/// The loop of the agent's process: frames between its connection to the node and the agent, time, and the end.
final class AgentProcess: AgentHost, DescriptorHandler, TimerHandler {
  private static let timer = TimerID(0)
  private static let settleTimer = TimerID(1)

  private let socket: Descriptor
  private let loop: Loop
  private let clock: SystemClock
  private let log: Log
  /// Where the owner's files are.
  private let folder: String
  let transfers: any MemoryTransfers
  private var reader = AgentFrameReader()
  /// Frames that are still to be sent: `sent` bytes of the first `used` have gone.
  private let output = FixedBuffer(capacity: Budget.agentQueueBytes)
  private var (sent, used) = (0, 0)
  private var isWatchingRoom = false
  private var server: AgentServer?
  private(set) var isConnected = true

  /// A process whose connection to the node is `socket`. What it keeps is in the folder `state`.
  init(socket: Descriptor, loop: Loop, clock: SystemClock, folder: String, state: String, log: Log) throws(Errno) {
    (self.socket, self.loop, self.clock, self.folder, self.log) = (socket, loop, clock, folder, log)
    transfers = try TransferFiles(folder: state)
  }

  /// Serves the node until it, or the service manager, ends the connection.
  func serve(_ server: AgentServer, _ keeper: AgentKeeper) throws(Errno) {
    self.server = server
    let signals = try Signals(loop: loop) { [unowned(unsafe) self] signal in if signal == .stop { end() } }
    defer { signals.close() }
    try loop.watch(socket, for: .readable, self)
    server.start()
    server.connected()
    trimLater()
    try loop.run { setTimer(server.nextDeadline) }
    server.stop()
    // What flash lacks is written before the end; until then nothing else happens.
    let deadline = clock.monotonic + Budget.flushMilliseconds
    while !keeper.isSettled, clock.monotonic < deadline {
      setTimer(min(keeper.nextDeadline ?? deadline, deadline))
      var turns = 0
      try loop.run {
        turns += 1
        if turns > 1 || keeper.isSettled { loop.stop() }
      }
    }
  }

  private func end() {
    isConnected = false
    loop.stop()
  }

  private func setTimer(_ deadline: Int64?) {
    if let deadline {
      loop.setTimer(Self.timer, of: self, at: deadline)
    } else {
      loop.cancelTimer(Self.timer, of: self)
    }
  }

  /// Gives back memory when the node has sent nothing for a while.
  private func trimLater() {
    loop.setTimer(Self.settleTimer, of: self, at: clock.monotonic + Budget.settleMilliseconds)
  }

  func timerFired(_ id: TimerID) {
    if id == Self.settleTimer { return Process.trim() }
    server?.advance(to: clock.monotonic)
  }

  // MARK: The node

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    guard isConnected, !readiness.isDisjoint(with: [.readable, .failed]) else { return }
    do throws(Errno) {
      let count = try Syscall.receiveStream(descriptor, into: reader.room())
      if count == 0 { return end() }
      reader.wrote(count)
    } catch {
      if error != .wouldBlock { end() }
      return
    }
    trimLater()
    while isConnected, let (kind, body) = reader.next() { server?.received(kind, body) }
    guard reader.isBroken else { return }
    log.write(.error, "agent", "the node has sent what is no frame")
    end()
  }

  func send(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) {
    guard isConnected else { return }
    if used + AgentFrame.headBytes + Budget.agentFrameBytes > output.bytes.count { compact() }
    guard used + AgentFrame.headBytes + Budget.agentFrameBytes <= output.bytes.count else {
      log.write(.error, "agent", "the node does not read what it is sent")
      return end()
    }
    used += AgentFrame.write(kind, into: UnsafeMutableBufferPointer(rebasing: output.bytes[used...]), body)
    flush()
  }

  /// Moves what is still to be sent to the front.
  private func compact() {
    for index in sent..<used { output.bytes[index - sent] = output.bytes[index] }
    (sent, used) = (0, used - sent)
  }

  private func flush() {
    do throws(Errno) {
      while sent < used {
        sent += try Syscall.send(socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[sent..<used]))
      }
      (sent, used) = (0, 0)
      try watchRoom(false)
    } catch {
      if error != .wouldBlock { return end() }
      do throws(Errno) { try watchRoom(true) } catch { end() }
    }
  }

  private func watchRoom(_ isWatched: Bool) throws(Errno) {
    guard isWatched != isWatchingRoom else { return }
    try loop.change(socket, to: isWatched ? [.readable, .writable] : .readable)
    isWatchingRoom = isWatched
  }

  // MARK: The owner's files

  func read(_ file: AgentFile, into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let path = folder + (file == .persona ? "/AGENT.md" : "/MEMORY.md")
    do throws(Errno) {
      let bytes = try TextFile.read(path, limit: room.count)
      for index in bytes.indices { room[index] = bytes[index] }
      return bytes.count
    } catch {
      if error != .noSuchFile {
        log.write(.warning, "agent") { line in
          line.add(path.utf8.span)
          line.add(" cannot be read: ")
          line.add(error.text)
        }
      }
      return 0
    }
  }
}
