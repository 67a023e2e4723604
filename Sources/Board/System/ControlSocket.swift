import Runtime

/// A Unix socket of a running agent, with permissions for its owner only: a few clients, lines in both directions. A
/// client that sends nothing, sends too much or does not read is dropped, and when all places are taken a new client
/// gets one of those that keep them without need (`clientToReplace`), so that nobody can block others.
public final class ControlSocket: LineServer {
  struct Client {
    var socket: Descriptor?
    /// Bytes of an incomplete line.
    var inputCount = 0
    /// Bytes waiting to be sent, and their highest end since the buffer was last empty.
    var output = 0..<0
    var outputPeak = 0
    /// The client has closed its sending side, and may still read.
    var isFinished = false
    var watched = Readiness.readable
    /// Who is at the other end, as the kernel knows it.
    var user = UInt32.max
    var process: Int32 = 0
    /// When it connected, ended its last line or began the present one, and when it last read anything: monotonic
    /// milliseconds.
    var connectedAt: Int64 = 0
    var heardAt: Int64 = 0
    var tookAt: Int64 = 0
  }

  enum Timer {
    static let clientDeadline = TimerID(0)
    static let listen = TimerID(1)
    static let open = TimerID(2)
  }

  /// Milliseconds after which a client that sends no whole line and waits for nothing is dropped.
  static let idleTimeout: Int64 = 60_000
  /// Milliseconds after which a client that does not read its responses is dropped.
  static let stallTimeout: Int64 = 10_000
  /// Milliseconds until clients are accepted again after an error of accept(2).
  static let acceptPause: Int64 = 1_000
  /// Milliseconds until the socket file is created again after an error.
  static let openPause: Int64 = 5_000

  let loop: Loop
  let clock: any Clock
  let clients: UnsafeMutableBufferPointer<Client>
  private let folder = Path()
  /// True when the folder exists only for this socket.
  private var hasFolder = false
  private let path = Path()
  private let limits: Limits
  private let inputs: [ReservedBuffer]
  private let outputs: [ReservedBuffer]
  private var listener: Descriptor?
  private var isListening = false
  /// The delegate, retained by the socket.
  public var delegate: (any LineServerDelegate)?

  /// A closed socket.
  @export(interface)
  public init(_ limits: Limits = .control, loop: Loop, clock: any Clock) throws(Errno) {
    self.limits = limits
    self.loop = loop
    self.clock = clock
    clients = .allocate(capacity: limits.clients)
    clients.initialize(repeating: Client())
    var inputs: [ReservedBuffer] = []
    var outputs: [ReservedBuffer] = []
    for _ in 0..<limits.clients {
      inputs.append(try ReservedBuffer(capacity: limits.lineBytes))
      outputs.append(try ReservedBuffer(capacity: limits.outputBytes))
    }
    self.inputs = inputs
    self.outputs = outputs
  }

  deinit { clients.deallocate() }

  /// Makes the file `control` in `folder` (and that folder, 0755, when only it is missing) and listens. A file left by
  /// an agent that ended is replaced; throws `.addressInUse` when a running agent has it, and other errors of the
  /// kernel. After an error it is tried again until it succeeds, or until `close`.
  public func open(folder: String) throws(Errno) {
    self.folder.truncate()
    try self.folder.append(folder)
    path.truncate()
    try path.append(folder)
    try path.append("/control")
    hasFolder = true
    try open()
  }

  /// The same with the file at `path`, in an existing folder.
  public func open(path: String) throws(Errno) {
    hasFolder = false
    self.path.truncate()
    try self.path.append(path)
    try open()
  }

  private func open() throws(Errno) {
    precondition(listener == nil)
    loop.cancelTimer(Timer.open, of: self)
    do throws(Errno) {
      try listen()
    } catch {
      loop.setTimer(Timer.open, of: self, at: clock.monotonic + Self.openPause)
      throw error
    }
  }

  private func openAgain() {
    do throws(Errno) {
      try listen()
    } catch {
      loop.setTimer(Timer.open, of: self, at: clock.monotonic + Self.openPause)
    }
  }

  private func listen() throws(Errno) {
    // It may exist; where it cannot be created, neither can the file.
    if hasFolder { do throws(Errno) { try Syscall.makeFolder(folder, permissions: 0o755) } catch {} }
    let socket = try Syscall.localSocket()
    do throws(Errno) {
      try bind(socket)
      // No client can connect before `listen`, so other permissions until then are harmless.
      try Syscall.setPermissions(path, 0o600)
      try Syscall.listen(socket, backlog: Int32(limits.clients))
      try loop.watch(socket, for: .readable, self)
    } catch {
      socket.close()
      throw error
    }
    listener = socket
    isListening = true
  }

  private func bind(_ socket: Descriptor) throws(Errno) {
    do throws(Errno) {
      return try Syscall.bind(socket, to: path)
    } catch {
      guard error == .addressInUse, isAbandoned() else { throw error }
    }
    try Syscall.unlink(path)
    try Syscall.bind(socket, to: path)
  }

  /// True when no process listens on the socket.
  private func isAbandoned() -> Bool {
    do throws(Errno) {
      guard try Syscall.status(path).isSocket else { return false }
      let probe = try Syscall.localSocket()
      defer { probe.close() }
      try Syscall.connect(probe, to: path)
      return false
    } catch {
      return error == .connectionRefused
    }
  }

  /// Drops all clients and removes the file. The file stays when the program will open it again soon, so that a client
  /// can tell that from an agent that has ended.
  public func close(comesBack: Bool = false) {
    loop.cancelTimer(Timer.open, of: self)
    guard let listener else { return }
    for client in 0..<clients.count { end(client) }
    if isListening { loop.unwatch(listener) }
    loop.cancelTimer(Timer.clientDeadline, of: self)
    loop.cancelTimer(Timer.listen, of: self)
    listener.close()
    self.listener = nil
    if comesBack { return }
    do throws(Errno) { try Syscall.unlink(path) } catch {}
  }

  // MARK: Clients

  private func accept(_ listener: Descriptor) {
    // Whoever connects again and again does not hold the loop: the rest comes in its next turn.
    for _ in 0..<clients.count {
      do throws(Errno) {
        let socket = try Syscall.accept(listener)
        if !welcome(socket) { socket.close() }
      } catch {
        if error != .wouldBlock { pauseListening(listener) }
        return
      }
    }
  }

  private func welcome(_ socket: Descriptor) -> Bool {
    if limits.isReplaced { for index in 0..<clients.count { drop(index) } }
    var client = Client(socket: socket)
    do throws(Errno) { (client.user, client.process) = try Syscall.peer(socket) } catch {}
    guard let index = freePlace ?? clientToReplace(for: client) else { return false }
    drop(index)
    do throws(Errno) { try loop.watch(socket, for: .readable, self) } catch { return false }
    let now = clock.monotonic
    (client.connectedAt, client.heardAt, client.tookAt) = (now, now, now)
    clients[index] = client
    setTimer()
    return true
  }

  /// Pending connections stay in the kernel's queue, which would wake the loop continuously.
  private func pauseListening(_ listener: Descriptor) {
    loop.unwatch(listener)
    isListening = false
    loop.setTimer(Timer.listen, of: self, at: clock.monotonic + Self.acceptPause)
  }

  private func listenAgain() {
    guard let listener else { return }
    do throws(Errno) {
      try loop.watch(listener, for: .readable, self)
      isListening = true
    } catch {
      loop.setTimer(Timer.listen, of: self, at: clock.monotonic + Self.acceptPause)
    }
  }

  /// Closes a client's connection without calling the delegate.
  private func end(_ client: Int) {
    guard let socket = clients[client].socket else { return }
    loop.unwatch(socket)
    socket.close()
    if clients[client].outputPeak > Self.keptBytes { outputs[client].release(keeping: Self.keptBytes) }
    clients[client] = Client()
  }

  private func drop(_ client: Int) {
    guard clients[client].socket != nil else { return }
    end(client)
    delegate?.lineClientDisconnected(client)
  }

  private func watch(_ client: Int) {
    guard let socket = clients[client].socket else { return }
    var wanted: Readiness = []
    if !clients[client].isFinished { wanted.insert(.readable) }
    if !clients[client].output.isEmpty { wanted.insert(.writable) }
    guard wanted != clients[client].watched else { return }
    do throws(Errno) {
      try loop.change(socket, to: wanted)
      clients[client].watched = wanted
    } catch {
      drop(client)
    }
  }

  // MARK: Reading

  private func receive(_ client: Int) {
    guard let socket = clients[client].socket else { return }
    let buffer = inputs[client].bytes
    let start = clients[client].inputCount
    do throws(Errno) {
      let count = try Syscall.receiveStream(socket, into: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
      // Further bytes of a line that has begun do not make it younger.
      if start == 0 { clients[client].heardAt = clock.monotonic }
      if count == 0 {
        clients[client].isFinished = true
        return closeIfDone(client)
      }
      clients[client].inputCount = start + count
      takeLines(client, newFrom: start)
    } catch {
      if error != .wouldBlock { drop(client) }
    }
  }

  private func takeLines(_ client: Int, newFrom: Int) {
    let buffer = inputs[client].bytes
    let end = clients[client].inputCount
    var start = 0
    var index = newFrom
    while index < end {
      if buffer[index] == UInt8(ascii: "\n") {
        let line = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[start..<index])
        if !line.isEmpty { delegate?.lineReceived(Span(_unsafeElements: line), from: client) }
        guard clients[client].socket != nil else { return }
        clients[client].heardAt = clock.monotonic
        start = index + 1
      }
      index += 1
    }
    // A long line comes in hundreds of pieces: do not copy it to its own place for each of them.
    if start > 0 { for index in start..<end { buffer[index - start] = buffer[index] } }
    clients[client].inputCount = end - start
    if end > Self.keptBytes, end - start <= Self.keptBytes { inputs[client].release(keeping: Self.keptBytes) }
    if end - start == buffer.count {
      delegate?.lineTooLong(from: client)
      drop(client)
    }
  }

  private func closeIfDone(_ client: Int) {
    guard clients[client].socket != nil, clients[client].isFinished else { return }
    let isAwaited = delegate?.isAwaited(by: client) ?? false
    if clients[client].output.isEmpty, !isAwaited { return drop(client) }
    watch(client)
  }

  // MARK: Writing

  public func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard clients[client].socket != nil else { return false }
    let buffer = outputs[client].bytes
    var range = clients[client].output
    if range.isEmpty { clients[client].tookAt = clock.monotonic }
    if range.lowerBound > 0 {
      let count = range.count
      for index in 0..<count { buffer[index] = buffer[range.lowerBound + index] }
      range = 0..<count
      clients[client].output = range
    }
    let room = UnsafeMutableBufferPointer(rebasing: buffer[range.upperBound..<(buffer.count - 1)])
    guard let count = write(room), count <= room.count else {
      // The buffer is empty: the response is larger than the limit, which is not the client's fault.
      if !range.isEmpty { drop(client) }
      return false
    }
    buffer[range.upperBound + count] = UInt8(ascii: "\n")
    clients[client].output = range.lowerBound..<(range.upperBound + count + 1)
    clients[client].outputPeak = max(clients[client].outputPeak, range.upperBound + count + 1)
    flush(client)
    return clients[client].socket != nil
  }

  private func flush(_ client: Int) {
    guard let socket = clients[client].socket else { return }
    let bytes = UnsafeBufferPointer(outputs[client].bytes)
    while !clients[client].output.isEmpty {
      do throws(Errno) {
        let waiting = clients[client].output
        let count = try Syscall.send(socket, UnsafeBufferPointer(rebasing: bytes[waiting]))
        clients[client].output = (waiting.lowerBound + count)..<waiting.upperBound
        clients[client].tookAt = clock.monotonic
      } catch {
        if error != .wouldBlock { return drop(client) }
        watch(client)
        return setTimer()
      }
    }
    clients[client].output = 0..<0
    if clients[client].outputPeak > Self.keptBytes { outputs[client].release(keeping: Self.keptBytes) }
    clients[client].outputPeak = 0
    watch(client)
    closeIfDone(client)
  }

  /// Pages beyond this many bytes are released after each response.
  private static let keptBytes = 16 * 1024

  public func hangUp(_ client: Int) { end(client) }

  // MARK: Time

  private func limit(of client: Int) -> Int64 {
    if !clients[client].output.isEmpty { return clients[client].tookAt + Self.stallTimeout }
    // A client that waits for a response is checked again later.
    if delegate?.isAwaited(by: client) ?? false { return clock.monotonic + Self.idleTimeout }
    return clients[client].heardAt + Self.idleTimeout
  }

  private func setTimer() {
    var earliest = Int64.max
    for client in 0..<clients.count where clients[client].socket != nil { earliest = min(earliest, limit(of: client)) }
    if earliest == .max { return loop.cancelTimer(Timer.clientDeadline, of: self) }
    loop.setTimer(Timer.clientDeadline, of: self, at: earliest)
  }

  private func dropTheIdle() {
    let now = clock.monotonic
    for client in 0..<clients.count where clients[client].socket != nil && limit(of: client) <= now { drop(client) }
    setTimer()
  }
}

extension ControlSocket: DescriptorHandler, TimerHandler {
  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if descriptor == listener { return accept(descriptor) }
    for client in 0..<clients.count where clients[client].socket == descriptor {
      if readiness.contains(.writable) { flush(client) }
      if readiness.contains(.readable), clients[client].socket == descriptor { receive(client) }
      // Hung up in both directions, with nothing left to read.
      let isOver = clients[client].isFinished || !readiness.contains(.readable)
      if isOver, clients[client].socket == descriptor, !readiness.isDisjoint(with: .failed) { drop(client) }
      return closeIfDone(client)
    }
  }

  public func timerFired(_ id: TimerID) {
    switch id {
    case Timer.open: openAgain()
    case Timer.listen: listenAgain()
    default: dropTheIdle()
    }
  }
}
