import Runtime

/// Decides whether a running agent may start over with its configuration file. A wrong file, or one that is empty or
/// gone, must not stop an agent that works: it keeps its configuration, and the log tells why.
struct ReloadCheck {
  let path: String
  /// The configuration of the running agent.
  let running: Configuration
  let log: Log

  /// What the file holds; nil when it must not replace the running configuration.
  /// - Parameter isTold: true when the log gets the reason.
  func text(isTold: Bool) -> [UInt8]? {
    let complaint: String
    // A file that is gone, as during a move or without its disk, does not mean the defaults, unless these are in use.
    let isUnconfigured = running.settings.isEmpty && path == ConfigurationFile.defaultPath
    if isMissing, !isUnconfigured {
      complaint = "\(path) is not there any more; put it back, or write a comment in it for the usual settings"
    } else {
      do throws(ConfigurationError) {
        let text = try ConfigurationFile.text(path)
        // Who writes a file in place empties it first.
        if text.isEmpty, !running.settings.isEmpty {
          throw ConfigurationError(file: path, reason: "is empty; for the usual settings write a comment in it")
        }
        _ = try ConfigurationFile.checked(text, file: path)
        return text
      } catch {
        complaint = error.report
      }
    }
    if isTold {
      log.write(.error, "talon") { line in
        line.add("the old configuration stays: ")
        line.add(complaint)
      }
    }
    return nil
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
