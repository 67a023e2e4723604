import Foundation

/// A copy of what the kernel's IIO shows of its devices: files in a folder, of which a device's own file is one. A file
/// takes everything that is written to it, and the device's gives what a test has put there.
final class IIOTree {
  private let tree = ReadingsTree()
  var root: String { tree.root }

  init() {
    try! FileManager.default.createDirectory(atPath: root + "/sys/bus/iio/devices", withIntermediateDirectories: true)
  }

  private func folder(_ number: Int) -> String { "/sys/bus/iio/devices/iio:device\(number)" }

  func add(
    _ number: Int, _ name: String, quantities: [String], format: String, scale: String, scales: String? = nil,
    rates: String? = "25 50 100 200", rate: String = "25", trigger: String?? = nil
  ) {
    put(number, "name", name)
    var index = 0
    for quantity in quantities {
      put(number, "in_\(quantity)_scale", scale)
      if let scales { put(number, "in_\(quantity)_scale_available", scales) }
      for axis in ["x", "y", "z"] {
        put(number, "in_\(quantity)_\(axis)_raw", "0")
        put(number, "scan_elements/in_\(quantity)_\(axis)_en", "0")
        put(number, "scan_elements/in_\(quantity)_\(axis)_index", "\(index)")
        put(number, "scan_elements/in_\(quantity)_\(axis)_type", format)
        index += 1
      }
    }
    // The clock's channel is on in many systems.
    put(number, "scan_elements/in_timestamp_en", "1")
    put(number, "scan_elements/in_timestamp_index", "\(index)")
    put(number, "scan_elements/in_timestamp_type", "le:s64/64>>0")
    put(number, "sampling_frequency", rate)
    if let rates { put(number, "sampling_frequency_available", rates) }
    put(number, "buffer/enable", "0")
    put(number, "buffer/length", "2")
    if let trigger { put(number, "trigger/current_trigger", trigger ?? "") }
    tree.write("/dev/iio:device\(number)", "")
  }

  /// A driver that only reads single values.
  func addRaw(_ number: Int, _ name: String) {
    put(number, "name", name)
    for axis in ["x", "y", "z"] { put(number, "in_accel_\(axis)_raw", "0") }
  }

  func addTrigger(_ number: Int, _ name: String) {
    tree.write("/sys/bus/iio/devices/trigger\(number)/name", name + "\n")
    tree.write("/sys/bus/iio/devices/trigger\(number)/sampling_frequency", "1\n")
  }

  func put(_ number: Int, _ attribute: String, _ text: String) {
    tree.write(folder(number) + "/" + attribute, text.isEmpty ? "" : text + "\n")
  }

  func remove(_ path: String) { try! FileManager.default.removeItem(atPath: root + path) }

  func text(_ number: Int, _ attribute: String) -> String { text(folder(number) + "/" + attribute) }

  func text(_ path: String) -> String {
    let text = (try? String(contentsOfFile: root + path, encoding: .utf8)) ?? "(nothing)"
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Captures more.
  func capture(_ number: Int, _ bytes: [UInt8]) {
    let file = FileHandle(forWritingAtPath: root + "/dev/iio:device\(number)")!
    try! file.seekToEnd()
    try! file.write(contentsOf: Data(bytes))
    try! file.close()
  }
}
