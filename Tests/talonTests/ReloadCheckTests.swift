import Glibc
import Runtime
import Testing

@testable import talon

/// A running agent starts over only with a file that it can run with, and tells otherwise why it does not.
@Suite struct ReloadCheckTests {
  private let folder = TemporaryFolder()
  private let log = Log(level: .debug, output: nil)
  private var path: String { "\(folder.path)/talon.conf" }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  private func allows(_ path: String, running: Configuration) -> Bool {
    ReloadCheck(path: path, running: running, log: log).text(isTold: true) != nil
  }

  /// The configuration of an agent that was started with this text.
  private func running(_ text: String) throws -> Configuration {
    try ConfigurationFile.read(folder.put("talon.conf", text))
  }

  @Test("a file that is right is read again, without a word")
  func right() throws {
    let running = try running("[log]\nlevel = info\n")
    _ = folder.put("talon.conf", "[log]\nlevel = debug\n")
    #expect(allows(path, running: running) && lines.isEmpty)
  }

  @Test("when the file has vanished the configuration stays, and the log tells which file and what to do")
  func vanished() throws {
    let running = try running("[log]\nlevel = info\n")
    #expect(unlink(path) == 0)
    #expect(!allows(path, running: running))
    let line = try #require(lines.last)
    #expect(lines.count == 1 && line.hasPrefix("<3>talon: the old configuration stays: \(path) is not there any more"))
    #expect(line.contains("put it back"))
    // Once it is back, it counts.
    _ = folder.put("talon.conf", "[log]\nlevel = info\n")
    #expect(allows(path, running: running))
  }

  @Test("when its folder has vanished, as with a disk, the configuration stays")
  func withoutFolder() throws {
    let running = try running("[log]\nlevel = info\n")
    #expect(!allows("\(folder.path)/disk/talon.conf", running: running) && lines.count == 1)
  }

  @Test("a file that is empty, as while somebody writes it, does not mean the usual settings; a comment does")
  func emptied() throws {
    let running = try running("[log]\nlevel = info\n")
    _ = folder.put("talon.conf", "")
    #expect(!allows(path, running: running))
    #expect(lines.count == 1 && lines[0].hasPrefix("<3>talon: the old configuration stays: \(path): is empty"))
    #expect(allows(path, running: Configuration()))
    _ = folder.put("talon.conf", "# the usual settings\n")
    #expect(allows(path, running: running))
  }

  @Test("an empty file that has vanished is missed too")
  func emptyVanished() throws {
    let running = try running("")
    #expect(unlink(path) == 0)
    #expect(!allows(path, running: running) && lines.count == 1)
  }

  @Test(
    "the usual file may be absent, which means the usual settings, unless the agent runs with others",
    .enabled(if: access(ConfigurationFile.defaultPath, F_OK) != 0))
  func usual() throws {
    #expect(allows(ConfigurationFile.defaultPath, running: Configuration()) && lines.isEmpty)
    let configured = try running("[log]\nlevel = info\n")
    #expect(!allows(ConfigurationFile.defaultPath, running: configured) && lines.count == 1)
  }

  @Test("a file with a mistake, and one that is a folder, leave the configuration as it is", arguments: [false, true])
  func wrong(isFolder: Bool) throws {
    let running = try running("[log]\nlevel = info\n")
    if isFolder {
      #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
    } else {
      _ = folder.put("talon.conf", "[log]\nlevel = loud\n")
    }
    #expect(!allows(path, running: running))
    #expect(lines.count == 1 && lines[0].hasPrefix("<3>talon: the old configuration stays: \(path)"))
  }
}
