import Gateway
import Glibc
import Runtime
import TestSupport

@testable import talon

typealias Seeded = TestSupport.Seeded

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
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      if Glibc.unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }

  /// Writes a file and answers its path.
  func put(_ name: String, _ bytes: [UInt8]) -> String {
    let path = "\(path)/\(name)"
    let file = fopen(path, "w")!
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
    return path
  }

  func put(_ name: String, _ text: String) -> String { put(name, Array(text.utf8)) }
}

/// What is wrong with a text, as a person reads it, or nil.
func complaint(_ text: String) -> String? { complaint(Array(text.utf8)) }

func complaint(_ bytes: [UInt8]) -> String? {
  do throws(ConfigurationError) {
    _ = try ConfigurationFile.parse(bytes, file: "t.conf")
    return nil
  } catch {
    return error.text
  }
}

/// What is wrong with a file, its path replaced by "FILE", or nil.
func complaint(file path: String) -> String? {
  do throws(ConfigurationError) {
    _ = try ConfigurationFile.read(path)
    return nil
  } catch {
    var text = error.text
    if text.hasPrefix(path) { text = "FILE" + text.dropFirst(path.count) }
    return text
  }
}
