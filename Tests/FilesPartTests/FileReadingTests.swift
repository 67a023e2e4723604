import Foundation
import Runtime
import Testing

@testable import FilesPart

@Suite("Files that are read, on a real file system") struct FileReadingTests {
  private let bench: ShareBench

  init() throws { bench = try ShareBench() }

  @Test("a file comes with its size, type and SHA-256; an empty one, too")
  func fetches() throws {
    bench.put("share/note.txt", "hello")
    #expect(bench.call(.fetch, "share/note.txt") == nil && bench.text8 == "hello")
    #expect(bench.digest == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(bench.job.type.description == "text/plain" && bench.job.size == 5)
    bench.put("share/empty")
    #expect(bench.call(.fetch, "share/empty") == nil && bench.job.count == 0 && bench.digest.hasPrefix("e3b0c44298fc"))
    #expect(bench.call(.fetch, "share/note.txt", #","preflightOnly":true"#) == nil && bench.job.count == 0)
    #expect(bench.job.size == 5)
  }

  @Test("links are followed nowhere: as the file, on the way, out, in, to nothing, to /proc", arguments: [false, true])
  func links(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    bench.put("outside/secret", "no")
    bench.put("share/inside", "yes")
    mkdir(bench.path + "/share/way", 0o755)
    for (target, name) in [
      (bench.path + "/outside/secret", "file"), ("../outside/secret", "relative"), ("inside", "own"),
      ("/nowhere", "dangling"), ("/proc/self/environ", "proc"), ("loop", "loop"),
    ] {
      symlink(target, bench.path + "/share/" + name)
      #expect(bench.call(.fetch, "share/" + name) == "SYMLINK_REDIRECT", "\(name)")
      #expect(bench.call(.stat, "share/" + name) == "SYMLINK_REDIRECT", "\(name)")
    }
    symlink(bench.path + "/outside", bench.path + "/share/out")
    symlink("way", bench.path + "/share/in")
    #expect(bench.call(.fetch, "share/out/secret") == "SYMLINK_REDIRECT")
    #expect(bench.call(.list, "share/out") == "SYMLINK_REDIRECT")
    #expect(bench.call(.list, "share/in") == "SYMLINK_REDIRECT")
    #expect(bench.call(.fetch, "share/in/a") == "SYMLINK_REDIRECT")
    #expect(bench.call(.fetch, "share/../outside/secret") == "PATH_TRAVERSAL")
    #expect(bench.call(.fetch, "outside/secret") == "OUTSIDE")
  }

  @Test("a shared folder that is reached by a link is not trusted", arguments: [false, true])
  func linkedFolder(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    bench.put("outside/secret", "no")
    rmdir(bench.path + "/share")
    symlink(bench.path + "/outside", bench.path + "/share")
    #expect(bench.call(.fetch, "share/secret") == "SYMLINK_REDIRECT")
    #expect(bench.call(.list, "share") == "SYMLINK_REDIRECT")
  }

  @Test(
    "folders, pipes, sockets and what is not there have codes of their own, and nothing blocks",
    arguments: [false, true])
  func kinds(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    mkdir(bench.path + "/share/sub", 0o755)
    bench.put("share/file", "x")
    mkfifo(bench.path + "/share/pipe", 0o644)
    #expect(bench.call(.fetch, "share/sub") == "IS_DIRECTORY" && bench.call(.fetch, "share") == "IS_DIRECTORY")
    #expect(bench.call(.fetch, "share/pipe") == "READ_ERROR" && bench.message.contains("pipes"))
    #expect(bench.call(.fetch, "share/none") == "NOT_FOUND" && bench.call(.fetch, "share/no/ne") == "NOT_FOUND")
    #expect(bench.call(.fetch, "share/file/x") == "NOT_FOUND" && bench.call(.list, "share/file") == "IS_FILE")
    #expect(bench.call(.list, "share/pipe") == "IS_FILE" && bench.call(.list, "share/none") == "NOT_FOUND")
    #expect(bench.call(.stat, "share/sub") == nil && bench.job.isFolder && bench.job.size == 0)
    #expect(bench.call(.stat, "share") == nil && bench.job.isFolder)
    #expect(bench.call(.stat, "share/file") == nil && bench.job.size == 1)
    #expect(abs(Double(bench.job.modified) / 1000 - Date().timeIntervalSince1970) < 60)
  }

  @Test("what is too large is refused with both numbers, before it is read")
  func limits() throws {
    bench.put("share/file", "12345")
    #expect(bench.call(.fetch, "share/file", #","maxBytes":4"#) == "FILE_TOO_LARGE")
    #expect(bench.message.contains("5, and 4 is the limit"))
    #expect(bench.call(.fetch, "share/file", #","maxBytes":5"#) == nil)
    bench.put("share/large")
    truncate(bench.path + "/share/large", Budget.fileBytes + 1)
    #expect(bench.call(.fetch, "share/large") == "FILE_TOO_LARGE")
    truncate(bench.path + "/share/large", Budget.fileBytes)
    #expect(bench.call(.fetch, "share/large") == nil && bench.job.count == Budget.fileBytes)
  }

  @Test("the state folder is refused even where a shared folder is the same one", arguments: [false, true])
  func state(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    bench.put("state/identity", "key")
    // As a bind mount would show it.
    try FileManager.default.removeItem(atPath: bench.path + "/share")
    rename(bench.path + "/state", bench.path + "/share")
    let folders = SharedFolders(
      [SharedFolder(bench.path + "/share", isWritable: false)], stateFolder: bench.path + "/share")
    let walk = try FolderWalk(folders)
    let path = FilePath()
    try path.set((bench.path + "/share/identity").utf8.span)
    #expect(throws: FileFault.self) { _ = try walk.open(0, path, to: path.lastName) }
    // And below a shared folder.
    let above = SharedFolders([SharedFolder(bench.path, isWritable: false)], stateFolder: bench.path + "/share")
    let job = try FolderWalk(above)
    #expect(throws: FileFault.self) { _ = try job.open(0, path, to: path.lastName) }
  }

  // MARK: Races

  @Test("while a folder and a link take turns under one name, nothing from outside is read", arguments: [false, true])
  func folderRace(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    mkdir(bench.path + "/share/way", 0o755)
    bench.put("share/way/file", "inside")
    bench.put("outside/file", "outside")
    let (way, aside, outside) = (
      bench.path + "/share/way", bench.path + "/share/aside", bench.path + "/outside"
    )
    try race(bench, "share/way/file") {
      rename(way, aside)
      symlink(outside, way)
      unlink(way)
      rename(aside, way)
    }
  }

  @Test("while a file and a link take turns under one name, nothing from outside is read", arguments: [false, true])
  func fileRace(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    bench.put("share/file", "inside")
    bench.put("outside/file", "outside")
    let (file, aside, outside) = (
      bench.path + "/share/file", bench.path + "/share/aside", bench.path + "/outside/file"
    )
    try race(bench, "share/file") {
      rename(file, aside)
      symlink(outside, file)
      rename(aside, file)
    }
  }

  private func race(_ bench: ShareBench, _ name: String, _ turn: @escaping @Sendable () -> Void) throws {
    let thread = Thread { for _ in 0..<2_000 { turn() } }
    thread.start()
    var (inside, refused) = (0, 0)
    while !thread.isFinished {
      if let code = bench.call(.fetch, name) {
        refused += 1
        #expect(code == "SYMLINK_REDIRECT" || code == "NOT_FOUND", "\(code)")
      } else {
        inside += 1
        try #require(bench.text8 == "inside")
      }
    }
    #expect(bench.call(.fetch, name) == nil && inside + refused > 0)
  }
}
