import Codec
import Foundation
import Runtime
import Sound

/// Recordings of this machine, as the listener takes them: 16 kHz, one channel.
enum SoundFile {
  /// What could not be read, and why.
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The samples of a file, -1 to 1. WAV is read here, everything else by ffmpeg.
  static func read(_ path: String) throws -> [Float] {
    guard path.lowercased().hasSuffix(".wav") else { return try decode(path) }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(description: "\(path) cannot be read")
    }
    return try wave(data, path)
  }

  /// The samples of a WAV file in memory.
  static func wave(_ data: Data, _ name: String) throws -> [Float] {
    try data.withUnsafeBytes { bytes in
      do throws(WAVError) {
        let view = try WAVView(bytes)
        return resample(
          (0..<view.count).map { view[$0] }, from: Double(view.rate), to: Double(Budget.voiceRate))
      } catch {
        throw Failure(description: "\(name): \(error.text)")
      }
    }
  }

  private static func decode(_ path: String) throws -> [Float] {
    let result = try HostProgram.run(
      "ffmpeg", ["-v", "error", "-i", path, "-ac", "1", "-ar", "\(Budget.voiceRate)", "-f", "s16le", "-"])
    return result.withUnsafeBytes { bytes in
      (0..<(bytes.count / 2)).map {
        Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))) / 32_768
      }
    }
  }

  /// The samples as a listener takes them.
  static func integers(_ samples: [Float]) -> [Int16] {
    samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
  }

  /// Files of sound below folders, and files that were named, in order.
  static func files(in places: [String]) throws -> [String] {
    let kinds: Set<String> = ["wav", "flac", "ogg", "opus", "mp3", "m4a"]
    return try places.flatMap { place -> [String] in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
        throw Failure(description: "\(place) is not there")
      }
      guard isFolder.boolValue else { return [place] }
      let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
      let sounds = names.filter { kinds.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }.sorted()
      guard !sounds.isEmpty else {
        throw Failure(description: "\(place) has no recording in it: none of \(kinds.sorted().joined(separator: ", "))")
      }
      return sounds.map { place + "/" + $0 }
    }
  }

  /// Samples at another rate: a windowed sinc of 16 crossings either way.
  static func resample(_ samples: [Float], from: Double, to: Double) -> [Float] {
    guard from != to, !samples.isEmpty else { return samples }
    let step = from / to
    let cut = min(1, 1 / step)
    let reach = 16 / cut
    let kernel = SincTable(cut: cut, reach: reach)
    return (0..<Int(Double(samples.count) / step)).map { index in
      let center = Double(index) * step
      let (first, last) = (
        max(0, Int((center - reach).rounded(.up))), min(samples.count - 1, Int(center + reach))
      )
      guard first <= last else { return 0 }
      var sum: Float = 0
      for place in first...last { sum += samples[place] * kernel[abs(Double(place) - center)] }
      return sum
    }
  }
}

/// A windowed sinc, read from a table of 64 values for each sample.
private struct SincTable {
  private static let steps = 64.0
  private let values: [Float]

  init(cut: Double, reach: Double) {
    values = (0...Int(reach * Self.steps) + 1).map { index in
      let place = Double(index) / Self.steps
      let angle = Double.pi * place * cut
      let window = 0.5 + 0.5 * cos(Double.pi * min(1, place / reach))
      return Float((angle == 0 ? 1 : sin(angle) / angle) * window * cut)
    }
  }

  subscript(_ place: Double) -> Float { values[Int(place * Self.steps + 0.5)] }
}

/// Programs of this machine.
enum HostProgram {
  /// What a program writes to its standard output; throws with its last words when it is not there or fails.
  static func run(_ name: String, _ arguments: [String]) throws -> Data {
    let process = Foundation.Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw SoundFile.Failure(description: "\(name): \(words.split(separator: "\n").last ?? "it failed")")
    }
    return data
  }
}
