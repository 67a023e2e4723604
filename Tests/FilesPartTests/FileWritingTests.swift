import Foundation
import Runtime
import Testing

@testable import FilesPart

@Suite("Files that are written, on a real file system") struct FileWritingTests {
  private let bench: ShareBench

  init() throws { bench = try ShareBench() }

  private func write(
    _ name: String, _ text: String, _ members: String = "", _ command: FileCommand = .write
  ) -> String? {
    bench.call(command, name, #","contentBase64":"\#(ShareBench.base64(text))"\#(members)"#)
  }

  @Test("what is written is there, and is what is fetched")
  func writes() throws {
    #expect(write("inbox/a.txt", "hello") == nil && bench.content("inbox/a.txt") == "hello")
    #expect(bench.job.size == 5 && !bench.job.hasOverwritten && bench.digest.hasPrefix("2cf24dba"))
    #expect(bench.call(.fetch, "inbox/a.txt") == nil && bench.text8 == "hello" && bench.digest.hasPrefix("2cf24dba"))
    #expect(write("inbox/empty", "") == nil && bench.content("inbox/empty") == "")
    let large = String(repeating: "0123456789abcdef", count: 60_000)
    #expect(write("inbox/large", large) == nil && bench.content("inbox/large") == large)
    #expect(bench.names("inbox") == ["a.txt", "empty", "large"])
  }

  @Test("a file is replaced only where overwrite is true, and file.create never does")
  func overwrites() throws {
    bench.put("inbox/a", "old")
    #expect(write("inbox/a", "new") == "EXISTS_NO_OVERWRITE" && bench.content("inbox/a") == "old")
    #expect(write("inbox/a", "new", #","overwrite":true"#, .create) == "EXISTS_NO_OVERWRITE")
    #expect(write("inbox/a", "new", #","overwrite":true"#) == nil && bench.content("inbox/a") == "new")
    #expect(bench.job.hasOverwritten)
    #expect(bench.call(.create, "inbox/b") == nil && bench.content("inbox/b") == "")
    #expect(bench.names("inbox") == ["a", "b"])
  }

  @Test("folders on the way are made where that is wanted")
  func parents() throws {
    #expect(write("inbox/x/y/a", "1") == "PARENT_NOT_FOUND" && bench.names("inbox").isEmpty)
    #expect(write("inbox/x/y/a", "1", #","createParents":true,"preflightOnly":true"#) == nil)
    #expect(bench.names("inbox").isEmpty)
    #expect(write("inbox/x/y/a", "1", #","createParents":true"#) == nil && bench.content("inbox/x/y/a") == "1")
    #expect(write("inbox/x/y/a/b", "1", #","createParents":true"#) != nil)
  }

  @Test("nothing is written to folders for reading, to links, to folders and to pipes")
  func refused() throws {
    bench.put("outside/a", "old")
    #expect(write("share/a", "1") == "PERMISSION_DENIED" && bench.names("share").isEmpty)
    symlink(bench.path + "/outside/a", bench.path + "/inbox/a")
    #expect(write("inbox/a", "1", #","overwrite":true"#) == "SYMLINK_REDIRECT" && bench.content("outside/a") == "old")
    symlink(bench.path + "/outside", bench.path + "/inbox/out")
    #expect(write("inbox/out/b", "1") == "SYMLINK_REDIRECT" && bench.names("outside") == ["a"])
    #expect(write("inbox/out/c/b", "1", #","createParents":true"#) == "SYMLINK_REDIRECT")
    mkdir(bench.path + "/inbox/sub", 0o755)
    #expect(write("inbox/sub", "1", #","overwrite":true"#) == "IS_DIRECTORY" && write("inbox", "1") == "IS_DIRECTORY")
    mkfifo(bench.path + "/inbox/pipe", 0o644)
    #expect(write("inbox/pipe", "1", #","overwrite":true"#) == "WRITE_ERROR")
    #expect(write("inbox/a\nb", "1") == "INVALID_PATH")
    #expect(bench.names("inbox") == ["a", "out", "pipe", "sub"] && bench.names("outside") == ["a"])
  }

  @Test("content that is not what was meant leaves everything as it was")
  func content() throws {
    for text in ["!", "a", "ab=c", "YQ=", "YWI=\\n"] {
      #expect(bench.call(.write, "inbox/a", #","contentBase64":"\#(text)""#) == "INVALID_BASE64", "\(text)")
    }
    #expect(bench.call(.write, "inbox/a") == "INVALID_BASE64")
    #expect(bench.call(.write, "inbox/a", #","contentBase64":1"#) == "INVALID_BASE64")
    let right = "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824"
    #expect(write("inbox/a", "hellO", #","expectedSha256":"\#(right)""#) == "INTEGRITY_FAILURE")
    #expect(write("inbox/a", "hello", #","expectedSha256":"2cf2""#) == "INTEGRITY_FAILURE")
    #expect(bench.names("inbox").isEmpty)
    #expect(write("inbox/a", "hello", #","expectedSha256":"\#(right)""#) == nil)
    let large = String(repeating: "A", count: Budget.fileTextBytes + 4)
    #expect(bench.call(.write, "inbox/b", #","contentBase64":"\#(large)""#) == "FILE_TOO_LARGE")
    #expect(bench.call(.write, "inbox/b", #","contentBase64":"\#(large.dropLast(4))""#) == nil)
    #expect(bench.job.size >= Budget.fileWriteBytes)
  }

  @Test("what a power cut has left is replaced, and a question writes nothing")
  func rest() throws {
    bench.put("inbox/.talon-new", "half")
    #expect(write("inbox/a", "1", #","preflightOnly":true"#) == nil && bench.names("inbox") == [".talon-new"])
    #expect(write("inbox/a", "1") == nil && bench.names("inbox") == ["a"])
    symlink(bench.path + "/outside/a", bench.path + "/inbox/.talon-new")
    #expect(write("inbox/b", "1") == nil && bench.names("inbox") == ["a", "b"] && bench.names("outside").isEmpty)
  }

  @Test(
    "a disk that takes nothing is named, and nothing is left behind",
    arguments: [
      ("write", ENOSPC, "disk is full"), ("write", EDQUOT, "quota"), ("write", EIO, "does not work"),
      ("fsync", EIO, "does not work"), ("fsync", ENOSPC, "disk is full"), ("rename", EROFS, "ReadWritePaths="),
      ("rename", EIO, "does not work"), ("statvfs", EIO, "does not work"),
    ] as [(String, Int32, String)])
  func disk(call: String, number: Int32, words: String) throws {
    bench.put("inbox/old", "old")
    bench.faults = [call: number]
    #expect(write("inbox/new", "1") == "WRITE_ERROR" && bench.message.contains(words), "\(bench.message)")
    #expect(write("inbox/old", "1", #","overwrite":true"#) == "WRITE_ERROR")
    bench.faults = [:]
    #expect(bench.names("inbox") == ["old"] && bench.content("inbox/old") == "old")
    #expect(write("inbox/new", "1") == nil)
  }

  @Test("while a folder and a link take turns under one name, nothing is written outside", arguments: [false, true])
  func race(isOld: Bool) throws {
    let bench = try ShareBench(isOld: isOld)
    mkdir(bench.path + "/inbox/way", 0o755)
    let (way, aside, outside) = (bench.path + "/inbox/way", bench.path + "/inbox/aside", bench.path + "/outside")
    let thread = Thread {
      for _ in 0..<2_000 {
        rename(way, aside)
        symlink(outside, way)
        unlink(way)
        rename(aside, way)
      }
    }
    thread.start()
    while !thread.isFinished {
      _ = bench.call(.write, "inbox/way/file", #","contentBase64":"MQ==","overwrite":true"#)
    }
    #expect(bench.names("outside").isEmpty)
  }
}
