import Foundation

/// A program that runs beside this one. Foundation's own keeps a descriptor for each that ever ran, and a torture
/// starts thousands.
final class ChildProcess {
  let pid: pid_t
  private var ended: RunRecord.End.How?

  /// Starts a program without input. What it says, on both outputs, is appended to `output`.
  init(_ arguments: [String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, arguments[0], &actions, nil, &words, environ)
    guard result == 0 else { throw TortureError("\(arguments[0]): \(String(cString: strerror(result)))") }
    self.pid = pid
  }

  /// How it ended; nil while it runs.
  var end: RunRecord.End.How? { look(WNOHANG) }

  /// Waits until it has ended.
  func waitUntilEnd() { _ = look(0) }

  private func look(_ options: Int32) -> RunRecord.End.How? {
    if let ended { return ended }
    var status: Int32 = 0
    guard waitpid(pid, &status, options) == pid else { return nil }
    // As WTERMSIG and WEXITSTATUS have it, which are macros.
    ended = status & 0x7F == 0 ? .code((status >> 8) & 0xFF) : .signal(status & 0x7F)
    return ended
  }
}
