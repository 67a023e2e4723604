import Runtime

/// Decides whether a running agent may start over with its configuration file. A wrong file, or one that is gone, must
/// not stop an agent that works: it keeps its configuration, and the log tells why.
struct ReloadCheck {
  let path: String
  /// The configuration of the running agent.
  let running: Configuration
  let log: Log

  /// False when the file must not replace the running configuration; the reason is then in the log.
  func allows() -> Bool {
    guard let complaint else { return true }
    log.write(.error, "talon") { line in
      line.add("the old configuration stays: ")
      line.add(complaint)
    }
    return false
  }

  /// Why the file must not replace the running configuration; nil when it may.
  private var complaint: String? {
    // A file that is gone, as during a move or without its disk, does not mean the defaults, unless these are in use.
    let isUnconfigured = running.settings.isEmpty && path == ConfigurationFile.defaultPath
    if isMissing, !isUnconfigured {
      return "\(path) is not there any more; put it back, or restart the agent to run it with the usual settings"
    }
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.read(path)
      return nil
    } catch {
      return error.report
    }
  }

  private var isMissing: Bool {
    do throws(Errno) {
      _ = try Syscall.status(Path(path))
      return false
    } catch {
      return error == .noSuchFile
    }
  }
}
