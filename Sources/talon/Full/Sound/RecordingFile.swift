import Board
import Codec
import Runtime
import Sound

/// A recording of a few seconds from a WAV file, in the form of the microphone's sound.
enum RecordingFile {
  /// The samples, 16 kHz, -1 to 1, all channels mixed into one.
  static func read(_ path: String, limit: Int = Budget.enrolFileBytes) throws(Failure) -> [Float] {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try TextFile.read(path, limit: limit)
    } catch {
      throw Failure(.unavailable, "\(path) cannot be read: \(String(error.text))")
    }
    var (samples, rate): ([Float], Int) = ([], 0)
    var failure: WAVError?
    bytes.withUnsafeBytes { buffer in
      do throws(WAVError) {
        let view = try WAVView(buffer)
        rate = view.rate
        samples.reserveCapacity(view.count)
        for index in 0..<view.count { samples.append(view[index]) }
      } catch {
        failure = error
      }
    }
    if let failure { throw Failure(.unavailable, "\(path): \(String(failure.text))") }
    return try resampled(samples, from: rate, path)
  }

  private static func resampled(_ samples: [Float], from rate: Int, _ path: String) throws(Failure) -> [Float] {
    guard rate != Budget.voiceRate else { return samples }
    let resampler = SpeexResampler()
    guard resampler.set(from: UInt32(rate), to: UInt32(Budget.voiceRate)) else {
      throw Failure(.unavailable, "\(path): a rate of \(rate) Hz is not supported")
    }
    // Silence after it flushes the filter.
    let input = samples + [Float](repeating: 0, count: rate / 50)
    let length = Int(clamping: Int64(input.count) * Int64(Budget.voiceRate) / Int64(rate) + 64)
    var output = [Float](repeating: 0, count: length)
    var (taken, given) = (0, 0)
    input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        while taken < source.count, given < target.count {
          let step = resampler.run(
            UnsafeBufferPointer(rebasing: source[taken...]),
            into: UnsafeMutableBufferPointer(rebasing: target[given...]))
          if step.taken == 0, step.given == 0 { break }
          (taken, given) = (taken + step.taken, given + step.given)
        }
      }
    }
    return Array(output[..<given])
  }
}
