import Foundation
import NIOCore

/// A program that stands for the agent (`run --agent`): what a person said is its standard input, and what it prints is
/// the reply.
struct AgentProgram {
  let path: String
  /// What it prints is refused beyond this: a reply that a person reads or hears is a hundredth of it.
  var replyBytesMax = 64 << 10
  /// It is ended after so long; within, it may ask a person at the board.
  var secondsMax = 300.0

  /// Fails when the program does not start, ends with another code than 0, says too much or takes too long.
  func reply(to text: String, on loop: any EventLoop) -> EventLoopFuture<String> {
    let promise = loop.makePromise(of: String.self)
    Thread.detachNewThread {
      promise.completeWith(Result { try run(text) })
    }
    return promise.futureResult
  }

  /// What it says besides goes where the gateway's log goes. It is started by `posix_spawn`, for Foundation's `Process`
  /// waits for ever when its program was ended and has left a child.
  private func run(_ text: String) throws -> String {
    let input = try Self.opened(text)
    let output = Pipe()
    let program = try start(input.fileDescriptor, output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    let said = Result { try read(output.fileHandleForReading.fileDescriptor) }
    // With all that it has started, which would else hold the processor.
    if case .failure = said { kill(-program, SIGKILL) }
    var status: Int32 = 0
    while waitpid(program, &status, 0) < 0, errno == EINTR {}
    let reply = try said.get()
    guard status == 0 else {
      // The code, or the signal that ended it (wait(2)).
      let words = status & 0x7F == 0 ? "with code \(status >> 8 & 0xFF)" : "by signal \(status & 0x7F)"
      throw GatewayFailure("the agent's program ended \(words)")
    }
    return reply.trimmed
  }

  /// Its process group is its own, and has its number.
  private func start(_ input: Int32, _ output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var program: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    defer { free(arguments[0]) }
    let code = posix_spawn(&program, path, &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw GatewayFailure("cannot start \(path): \(String(cString: strerror(code)))") }
    return program
  }

  /// What comes out of the pipe until its end.
  private func read(_ pipe: Int32) throws -> String {
    let deadline = DispatchTime.now() + secondsMax
    var said: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = deadline.uptimeNanoseconds.subtractingReportingOverflow(DispatchTime.now().uptimeNanoseconds)
      var event = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let ready = left.overflow ? 0 : poll(&event, 1, Int32(clamping: left.partialValue / 1_000_000 + 1))
      if ready == 0 { throw GatewayFailure("the agent's program took longer than \(secondsMax) s") }
      if ready < 0, errno == EINTR { continue }
      let count = Glibc.read(pipe, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: said, as: UTF8.self) }
      said += piece.prefix(count)
      guard said.count <= replyBytesMax else {
        throw GatewayFailure("the agent's program said more than \(replyBytesMax) bytes")
      }
    }
  }

  /// A file without a name that holds the text: unlike a pipe it has room for any, and nobody has to read it.
  private static func opened(_ text: String) throws -> FileHandle {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try FileHandle(forReadingFrom: file)
  }
}
