import Codec
import Foundation
import Runtime

@testable import Sound

/// Passes samples on, or gives each so many times, or each so many once: rates of whole multiples.
final class PlainResampler: Resampler {
  private var (times, skip, phase) = (1, 1, 0)
  private(set) var resets = 0

  func set(from: UInt32, to: UInt32) -> Bool {
    (times, skip) = (max(Int(to / from), 1), max(Int(from / to), 1))
    return from * UInt32(times) == to * UInt32(skip)
  }

  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    var (taken, given) = (0, 0)
    for value in input {
      guard given + times <= output.count else { break }
      if phase == 0 {
        for _ in 0..<times { output[given] = value; given += 1 }
      }
      phase = (phase + 1) % skip
      taken += 1
    }
    return (taken, given)
  }

  func reset() {
    phase = 0
    resets += 1
  }
}

/// Keeps what is heard.
final class Ear: SoundListener {
  var samples: [Int16] = []
  var blocks = 0

  func heard(_ block: UnsafeBufferPointer<Int16>) {
    samples += block
    blocks += 1
  }
}

func facts(
  _ format: SampleFormat = .s16, rate: UInt32 = 16_000, channels: Int = 1, card: String = "card", name: String = "card"
) -> SoundFacts {
  SoundFacts(
    card: SoundName(cutting: card), name: SoundName(cutting: name), device: 0, format: format, rate: rate,
    channels: channels, period: 640, buffer: 8000)
}

func intake(gain: SoundGain = .fixed(0), channel: SoundChannel = .mix, denoiser: (any Denoiser)? = nil)
  -> SoundIntake
{
  SoundIntake(resampler: PlainResampler(), denoiser: denoiser, gain: gain, channel: channel)
}

/// Frames in memory, from values of each channel.
func frames(_ values: [[Float]], _ format: SampleFormat) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: values.count * (values.first?.count ?? 0) * format.bytes)
  bytes.withUnsafeMutableBytes { raw in
    var at = 0
    for frame in values {
      for value in frame {
        format.write(value, to: raw.baseAddress! + at)
        at += format.bytes
      }
    }
  }
  return bytes
}

func sine(_ hertz: Double, rate: Double = 16_000, count: Int, amplitude: Float = 0.5) -> [Float] {
  (0..<count).map { amplitude * Float(sin(2 * .pi * hertz * Double($0) / rate)) }
}

/// A WAV file in a folder of its own, gone with it.
final class Recording {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID().uuidString).wav")
    .path

  init(_ samples: [Int16] = [], rate: UInt32 = 16_000, channels: Int = 1) {
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(Self.bytes(samples, rate: rate, channels: channels)))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  static func bytes(_ samples: [Int16], rate: UInt32, channels: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: WAVHeader.writtenBytes)
    bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      WAVHeader(
        coding: .linear, channels: channels, rate: rate, bits: 16, sampleBytes: 2, dataOffset: 44,
        dataBytes: 2 * samples.count
      ).write(to: &writer)
    }
    for sample in samples {
      bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    return bytes
  }

  var content: [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }
}
