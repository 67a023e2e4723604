import Glibc
import TestSupport

@testable import Runtime

typealias Seeded = TestSupport.Seeded

/// Time that a test sets.
final class ManualClock: Clock {
  var monotonic: Int64 = 1_000_000
  var wall: Int64 = 1_784_118_920_000
}

/// A folder of its own for each test, gone with it.
final class TemporaryFolder {
  let path: String

  init() {
    // In memory, where it can be: these tests sync thousands of times.
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(base)/talon-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template)!)
  }

  deinit { remove(path) }

  private func remove(_ path: String) {
    for name in entries(of: path) {
      if Glibc.unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// The names in a folder, sorted.
func entries(of path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The whole of a file, or nil when there is none.
func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 128 * 1024)
  let count = fread(&bytes, 1, bytes.count, file)
  return Array(bytes[..<count])
}

/// Makes a file what a test wants it to be.
func put(_ bytes: [UInt8], at path: String) {
  let file = fopen(path, "w")!
  defer { fclose(file) }
  fwrite(bytes, 1, bytes.count, file)
}

/// Permission bits of a file.
func permissions(of path: String) -> UInt32 {
  var status = stat()
  stat(path, &status)
  return status.st_mode & 0o777
}

/// Both ends of a pipe, closed with the test.
final class Pipe {
  let output: Descriptor
  private(set) var input: Descriptor

  init(nonBlocking: Bool = true) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    if nonBlocking { for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) } }
    (output, input) = (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  deinit {
    Glibc.close(output.number)
    closeInput()
  }

  func closeInput() {
    if input.number >= 0 { Glibc.close(input.number) }
    input = Descriptor(-1)
  }

  func write(_ text: String) { precondition(Glibc.write(input.number, text, text.utf8.count) > 0) }

  /// What can be read now.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 128 * 1024)
    let count = Glibc.read(output.number, &bytes, bytes.count)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }
}

extension String {
  /// The bytes, as the log takes a secret.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    Array(utf8).withUnsafeBufferPointer(body)
  }
}

/// The text in a span.
func text(_ bytes: Span<UInt8>) -> String {
  bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

/// The reason for which `body` throws, or nil.
func reason(_ body: () throws(Errno) -> Void) -> Errno? {
  do throws(Errno) {
    try body()
    return nil
  } catch {
    return error
  }
}
