import Codec
import Device
import Runtime

/// What goes into the file of `talon support`, each as far as it is there.
struct SupportFiles {
  /// Files of the system that everybody may read, and their names in the archive.
  private static let system: [(name: String, path: StaticString)] = [
    ("os-release.txt", "/etc/os-release"), ("kernel.txt", "/proc/version"), ("uptime.txt", "/proc/uptime"),
    ("memory.txt", "/proc/meminfo"), ("load.txt", "/proc/loadavg"), ("mounts.txt", "/proc/self/mounts"),
    ("model.txt", "/proc/device-tree/model"), ("pressure-memory.txt", "/proc/pressure/memory"),
  ]

  private let configuration: Configuration
  private let path: String

  init(_ configuration: Configuration, path: String) {
    self.configuration = configuration
    self.path = path
  }

  /// The tar archive.
  func archive() -> [UInt8] {
    var archive = TarArchive(time: SystemClock().wall / 1000)
    func add(_ name: String, _ content: [UInt8]) {
      if !content.isEmpty { archive.add("talon-support/" + name, content) }
    }
    add("version.txt", Array("talon \(Version.number) (build \(Version.build))\n".utf8))
    let findings = DoctorCommand.examine(path)
    add("doctor.txt", Self.text(DoctorReport.lines(findings)))
    add("doctor.json", Array(DoctorReport.json(findings).utf8))
    add("configuration.txt", Self.text(settings()))
    add("status.json", answer("status"))
    add("health.json", answer("health"))
    add("log.txt", Self.text(log()))
    // What root's side of images says of slots and of the last restart; both are for everybody's eyes.
    add("slot.txt", Self.file(configuration.runtimeDirectory + "-system/slot"))
    add("restart.txt", Self.file(configuration.runtimeDirectory + "-system/restart"))
    for (name, path) in Self.system { add(name, Self.file(String(path))) }
    archive.end()
    return archive.bytes
  }

  private static func text(_ lines: [String]) -> [UInt8] {
    var text: [UInt8] = []
    for line in lines { text += Array(line.utf8) + [UInt8(ascii: "\n")] }
    return text
  }

  private static func file(_ path: String) -> [UInt8] {
    do throws(Errno) { return try TextFile.read(path, limit: Budget.supportFileBytes) } catch { return [] }
  }

  /// The keys that are set, without secrets.
  private func settings() -> [String] {
    do throws(Failure) {
      return ConfigCommand.shown(try ConfigCommand.text(path), section: nil)
    } catch {
      return [error.text]
    }
  }

  /// The agent's answer to a question without parameters, or why there is none.
  private func answer(_ operation: StaticString) -> [UInt8] {
    do throws(Failure) {
      return try ConsoleClient(folder: configuration.runtimeDirectory).ask(operation) { _ in }
    } catch {
      return Array(error.text.utf8)
    }
  }

  /// The agent's last lines, with the instants of the board's clock.
  private func log() -> [String] {
    var lines: [String] = []
    let now = SystemClock().wall
    do throws(Failure) {
      _ = try ConsoleClient(folder: configuration.runtimeDirectory).ask("log", as: .lines) { writer in
        writer.key("lines")
        writer.int(Int64(Budget.consoleLogLinesMaximum))
      } show: { line in
        let time = ISO8601(unixMilliseconds: max(now - line.number("age"), 0))
        lines.append("\(IdentityCommand.string(time.text)) \(line.text("level")) \(line.text("text"))")
      }
    } catch {
      lines.append(error.text)
    }
    return lines
  }
}
