import Foundation
import NIOCore

/// A program that stands for the agent (`run --agent`): it reads what a person said from standard input, and its output
/// is the reply.
enum AgentProgram {
  /// Fails when the program does not start, or ends with another code than 0.
  static func reply(of path: String, to text: String, on loop: any EventLoop) -> EventLoopFuture<String> {
    let promise = loop.makePromise(of: String.self)
    Thread.detachNewThread {
      promise.completeWith(Result { try run(path, text) })
    }
    return promise.futureResult
  }

  /// Waits for its end. What it says besides goes where the gateway's log goes.
  private static func run(_ path: String, _ text: String) throws -> String {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // A message is far smaller than what a pipe holds.
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw GatewayFailure("the agent's program ended with code \(process.terminationStatus)")
    }
    return String(decoding: said, as: UTF8.self).trimmed
  }
}
