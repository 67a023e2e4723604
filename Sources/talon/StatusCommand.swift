import Codec
import Gateway
import Runtime

/// `talon status`: the status of the running agent.
enum StatusCommand {
  static func run(isJSON: Bool, configurationPath: String) throws(Failure) -> ExitCode {
    let (folder, trouble) = try place(configurationPath)
    let answer: [UInt8]
    do throws(Failure) {
      answer = try ConsoleClient.status(folder: folder)
    } catch {
      throw trouble ?? error
    }
    if let trouble { Console.err("talon: \(trouble.text)") }
    let line = JSONView(answer.span)
    guard let status = line.member("result"), status.kind == .object else {
      throw Failure(.temporary, "the agent is of another release: restart it")
    }
    if isJSON {
      Console.out(IdentityCommand.string(status.rawText))
    } else {
      for row in StatusView.rows(of: status) { Console.show(String(row.text.dropFirst())) }
    }
    guard let state = status.member("state"), state.equals(SessionState.online.word) else { return .temporary }
    return .ok
  }

  /// The folder of the agent's socket, and what is wrong with the file: an agent may run nevertheless.
  private static func place(_ path: String) throws(Failure) -> (folder: String, trouble: Failure?) {
    do throws(Failure) {
      return (try ConfigCommand.read(path).runtimeDirectory, nil)
    } catch {
      guard error.code == .configuration || error.code == .temporary else { throw error }
      let text = (try? ConfigurationFile.text(path)) ?? []
      guard let folder = StartConfiguration.folders(text).first else { throw error }
      try ConfigCommand.become(ownerOnTheWayTo: [folder])
      return (folder, error)
    }
  }
}

/// The agent that runs beside this command, if any.
enum RunningAgent {
  /// Tells it to read its configuration and state again. Its process id comes from the kernel, never from the agent;
  /// and root is the agent's user by now (`ConfigCommand.become`), which cannot signal the processes of others.
  static func startOver(_ configuration: Configuration) {
    do throws(Failure) {
      let client = try ConsoleClient(folder: configuration.runtimeDirectory)
      _ = try client.ask("status") { _ in }
      if client.agent > 0 { hangUp(client.agent) }
    } catch {
      // No agent runs.
    }
  }

  private static func hangUp(_ pid: Int32) {
    do throws(Errno) {
      try Process.hangUp(pid)
      Console.out("the running agent was told to connect again")
    } catch {
      Console.err("the running agent could not be told: \(String(error.text)); restart it")
    }
  }
}

/// For commands, which may allocate.
extension JSONView {
  /// The value as a string; empty when it is not one.
  var text: String {
    guard let length = stringLength, length > 0 else { return "" }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    defer { buffer.deallocate() }
    let count = copyString(into: buffer) ?? 0
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// The string of a member; empty when it is missing or not a string.
  func text(_ name: StaticString) -> String { member(name)?.text ?? "" }

  /// The number of a member; 0 when it is missing or not a number.
  func number(_ name: StaticString) -> Int64 { member(name)?.int64 ?? 0 }
}
