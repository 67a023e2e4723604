// FilesPart: `file.fetch`, `dir.list`, `file.stat`, `file.write` and `file.create`: files of the folders that the owner
// shares, by a worker. The rules of paths, requests, lists and types are in files of their own. It must not know the
// configuration file, nor who asks.

import Codec
import Gateway
import Node
import Runtime

/// Files of this board for the gateway's agent. There only with folders in the configuration.
public final class FilesPart: Part, CommandHandler, FileJobDelegate, BlobDelegate {
  private static let reading = [
    CommandRow("file.fetch", limit: 1, queues: true),
    CommandRow("dir.list", limit: 1, queues: true),
    CommandRow("file.stat", limit: 1, queues: true),
  ]
  private static let writing = [
    CommandRow("file.write", limit: 1, hasSideEffects: true, queues: true),
    CommandRow("file.create", limit: 1, hasSideEffects: true, queues: true),
  ]

  private let folders: SharedFolders
  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: FileJob
  private let requests: [FileRequest]
  /// The call that the worker has.
  private var current: FileRequest?
  /// The call whose content is in the memory for it.
  private var writer: FileRequest?
  /// What was read is lent to a message.
  private var isLent = false
  /// A person holds the board (panic).
  private var isHeld = false
  private var serial: UInt64 = 0
  /// When the gateway is told next that the call still works.
  private var newsAt: Int64 = 0
  private var hasNews = false
  private let message = FixedBuffer(capacity: 768)
  /// The largest message in bytes that the gateway accepts.
  private var messageLimit = Int.max
  private var sent: UInt64 = 0
  private var written: UInt64 = 0
  private var refused: UInt64 = 0

  /// A part that opens nothing until it is asked. Takes the address space for contents.
  @export(interface)
  public init(
    _ folders: SharedFolders, router: Router, runner: any JobRunner, cryptography: any Cryptography,
    clock: any Clock, log: Log
  ) throws(Errno) {
    self.folders = folders
    self.router = router
    self.runner = runner
    self.clock = clock
    self.log = log
    var requests: [FileRequest] = []
    for _ in 0..<Budget.fileCalls { requests.append(FileRequest()) }
    self.requests = requests
    job = try FileJob(folders, cryptography, first: requests[0])
    super.init()
    job.delegate = self
  }

  // MARK: Part

  public override func addCommands(to router: Router) {
    router.add(folders.areWritable ? Self.reading + Self.writing : Self.reading, capability: "file", self)
  }

  public override func online(_ session: Session) { messageLimit = session.messageLimit }

  public override func stop() { job.cancellation.request() }

  public override var isStopped: Bool { !job.isPending }

  /// The router has answered the invokes, and ended their work.
  public override func hold() { isHeld = true }

  public override func letGo() { isHeld = false }

  public override var nextDeadline: Int64? { current == nil ? nil : newsAt }

  /// Who waits longer for a disk than usual hears that it goes on.
  public override func advance(to now: Int64) {
    guard current != nil, newsAt <= now else { return }
    newsAt = now + Budget.fileBeatMilliseconds
    guard let token = current?.token else { return }
    if hasNews { return router.beat(token) }
    hasNews = true
    router.progress(token, ("the board's disk is at work" as StaticString).utf8Bytes)
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("files")
    writer.beginObject()
    writer.key("folders")
    writer.int(Int64(folders.folders.count))
    writer.key("sent")
    writer.uint(sent)
    writer.key("written")
    writer.uint(written)
    writer.key("refused")
    writer.uint(refused)
    writer.endObject()
  }

  // MARK: CommandHandler

  @export(interface)
  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if isHeld { return router.fail(token, HoldError.held) }
    let command = FileCommand(rawValue: command) ?? .stat
    // One that was given up may still have its content in the only memory for it.
    guard let request = freeRequest, !command.writes || writer == nil else {
      return router.fail(token, RouterError.busy)
    }
    serial += 1
    (request.token, request.serial, request.state) = (token, serial, .waiting)
    if command.writes { writer = request }
    do throws(FileFault) {
      try request.read(command, parameters, content: job.incoming)
      try choose(request)
    } catch {
      refuse(request, error)
      return free(request)
    }
    startNext()
  }

  public func cancel(_ token: InvokeToken) {
    for index in 0..<requests.count where requests[index].token == token {
      requests[index].token = nil
      if requests[index].state == .waiting { free(requests[index]) }
      if requests[index].state == .running { job.cancellation.request() }
    }
  }

  private var freeRequest: FileRequest? {
    for index in 0..<requests.count where requests[index].state == .free { return requests[index] }
    return nil
  }

  /// Finds the shared folder, and how much may be answered.
  private func choose(_ request: FileRequest) throws(FileFault) {
    guard let folder = folders.folder(of: Span(_unsafeElements: request.path.bytes)) else {
      throw FileFault(.permissionDenied, "the path is in no folder that the owner shares")
    }
    request.folder = folder
    let room = room(for: request.path)
    switch request.command {
    case .fetch: request.limit = min(request.limit, Int64(Budget.fileBytes), Int64(room / 4 * 3))
    case .list: request.limit = Int64(min(Budget.listBytes, room))
    default: break
    }
  }

  /// Bytes that a message has room for beside its envelope, in which the path may be escaped (node-commands 1.4).
  private func room(for path: FilePath) -> Int {
    let envelope = max(min(Budget.mediaEnvelopeBytes, messageLimit / 16), Budget.mediaEnvelopeMinimumBytes)
    return max(messageLimit - envelope - 6 * path.count, 0)
  }

  // MARK: One at a time

  private func startNext() {
    guard current == nil, !job.isPending, let request = nextRequest else { return }
    job.prepare(request)
    guard runner.submit(job) else {
      // The workers have more than enough to do.
      if let token = request.token { router.fail(token, RouterError.busy) }
      return free(request)
    }
    request.state = .running
    current = request
    (newsAt, hasNews) = (clock.monotonic + Budget.fileProgressMilliseconds, false)
  }

  /// The one that has waited longest, of those for whose answer there is memory.
  private var nextRequest: FileRequest? {
    var found: FileRequest?
    for index in 0..<requests.count where requests[index].state == .waiting {
      let request = requests[index]
      if isLent, request.command.lends { continue }
      if let other = found, other.serial < request.serial { continue }
      found = request
    }
    return found
  }

  private func free(_ request: FileRequest) {
    request.state = .free
    request.token = nil
    guard writer === request else { return }
    writer = nil
    job.incoming?.release()
  }

  // MARK: FileJobDelegate

  func fileJobEnded() {
    guard let request = current else { return }
    current = nil
    if job.fault == nil, request.command.writes, !request.isPreflight {
      written += 1
      tell(of: request)
    }
    if let fault = job.fault { refuse(request, fault) } else { answer(request) }
    if !isLent { job.outgoing.release() }
    free(request)
    startNext()
  }

  private func tell(of request: FileRequest) {
    let (path, size, isOther) = (request.path.bytes, job.size, job.hasOverwritten)
    log.write(.notice, "files") { line in
      line.add(isOther ? "the gateway's agent replaced " : "the gateway's agent wrote ")
      line.quote(Span(_unsafeElements: path), .exact)
      line.add(", bytes: ")
      line.add(size)
    }
  }

  // MARK: Answers

  private func answer(_ request: FileRequest) {
    guard let token = request.token else { return }
    switch request.command {
    case .fetch: answerFile(token, request)
    case .list:
      sent += 1
      isLent = true
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(job.outgoing.bytes)[..<job.count])
      if !router.succeed(token, json: text, delegate: self) { blobReleased() }
    case .stat:
      router.succeed(token) { writer in
        self.begin(request, to: &writer)
        writer.key("mimeType")
        writer.string(self.job.type)
        writer.key("isDir")
        writer.bool(self.job.isFolder)
        writer.key("mtime")
        writer.int(self.job.modified)
        writer.endObject()
      }
    case .write, .create:
      router.succeed(token) { writer in
        self.begin(request, to: &writer)
        writer.key("sha256")
        writer.string(self.job.digest.span)
        writer.key("overwritten")
        writer.bool(self.job.hasOverwritten)
        self.end(request, to: &writer)
      }
    }
  }

  private func answerFile(_ token: InvokeToken, _ request: FileRequest) {
    // Nothing to lend.
    guard job.count > 0 else {
      return router.succeed(token) { writer in
        self.begin(request, to: &writer)
        self.writeKind(to: &writer)
        writer.key("base64")
        writer.string("")
        self.end(request, to: &writer)
      }
    }
    sent += 1
    isLent = true
    let content = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(job.outgoing.bytes)[..<job.count])
    let blob = OutboundBlob(content, .base64, delegate: self)
    let isTaken = router.succeed(token, blob: blob) { writer in
      self.begin(request, to: &writer)
      self.writeKind(to: &writer)
      writer.key("base64")
      writer.string("")
      // The content is inserted between the two quotes just written.
      let split = writer.count - 1
      writer.endObject()
      return split
    }
    if !isTaken { blobReleased() }
  }

  private func writeKind(to writer: inout JSONWriter) {
    writer.key("mimeType")
    writer.string(job.type)
    writer.key("sha256")
    writer.string(job.digest.span)
  }

  private func begin(_ request: FileRequest, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("ok")
    writer.bool(true)
    writer.key("path")
    writer.string(Span(_unsafeElements: request.path.bytes))
    writer.key("size")
    writer.int(job.size)
  }

  private func end(_ request: FileRequest, to writer: inout JSONWriter) {
    if request.isPreflight {
      writer.key("preflightOnly")
      writer.bool(true)
    }
    writer.endObject()
  }

  /// Answers with what is wrong: the invoke itself is a success (node-commands 4.13).
  private func refuse(_ request: FileRequest, _ fault: FileFault) {
    guard let token = request.token else { return }
    refused += 1
    let path = request.path.bytes
    if fault.code == .permissionDenied || fault.code == .symlink || fault.code == .traversal { tell(of: fault, path) }
    var line = ByteWriter(into: message.bytes)
    fault.write(to: &line)
    if fault.code == .permissionDenied { writeFolders(to: &line) }
    let count = min(line.count, message.bytes.count)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(message.bytes)[..<count])
    router.succeed(token) { writer in
      writer.beginObject()
      writer.key("ok")
      writer.bool(false)
      writer.key("code")
      writer.string(fault.code.name)
      writer.key("message")
      writer.string(Span(_unsafeElements: text))
      if !path.isEmpty {
        writer.key("canonicalPath")
        writer.string(Span(_unsafeElements: path))
      }
      writer.endObject()
    }
  }

  /// An agent has no other way to know them.
  private func writeFolders(to line: inout ByteWriter) {
    line.text("; shared are")
    for index in folders.folders.indices {
      line.text(index == 0 ? " " : ", ")
      folders.folders[index].path.withBytes { line.bytes(Span(_unsafeElements: $0)) }
      line.text(folders.folders[index].isWritable ? " (read and write)" : " (read)")
    }
  }

  private func tell(of fault: FileFault, _ path: UnsafeBufferPointer<UInt8>) {
    log.write(.warning, "files") { line in
      line.add("the gateway's agent is refused a path, ")
      line.add(fault.code.name)
      line.add(": ")
      line.quote(Span(_unsafeElements: path), .exact)
    }
  }

  // MARK: BlobDelegate

  public func blobRead(upTo count: Int) {}

  public func blobReleased() {
    isLent = false
    job.outgoing.release()
    startNext()
  }
}
