import Runtime

/// The power spectrum of 512 real samples: a complex transform of half the length, in place, by J. W. Cooley and J. W.
/// Tukey ("An algorithm for the machine calculation of complex Fourier series", 1965), whose result is split.
final class RealTransform {
  private static let size = VoiceModel.transformSize, half = size / 2, levels = 8

  private let real = FloatTable(count: half)
  private let imaginary = FloatTable(count: half)
  /// e^(-2πik/512).
  private let cosines = FloatTable(count: half)
  private let sines = FloatTable(count: half)
  private let reversed: UnsafeMutablePointer<UInt8>

  init() {
    reversed = .allocate(capacity: Self.half)
    for index in 0..<Self.half {
      let angle = -2 * Trigonometry.pi * Double(index) / Double(Self.size)
      cosines.floats[index] = Float(Trigonometry.cosine(angle))
      sines.floats[index] = Float(Trigonometry.sine(angle))
      var (bits, mirrored) = (index, 0)
      for _ in 0..<Self.levels { (mirrored, bits) = (mirrored << 1 | bits & 1, bits >> 1) }
      reversed[index] = UInt8(mirrored)
    }
  }

  deinit { reversed.deallocate() }

  /// The power at frequencies 0 to 256 of `samples` under `window`, 512 each.
  func power(
    of samples: UnsafePointer<Float>, _ window: UnsafePointer<Float>, into power: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<Self.half {
      let place = Int(reversed[index])
      real.floats[place] = samples[2 * index] * window[2 * index]
      imaginary.floats[place] = samples[2 * index + 1] * window[2 * index + 1]
    }
    var span = 1
    while span < Self.half {
      mix(span)
      span *= 2
    }
    takeApart(into: power)
  }

  /// Butterflies between halves of `span` values each.
  private func mix(_ span: Int) {
    let (real, imaginary) = (real.floats, imaginary.floats)
    let step = Self.half / span
    var start = 0
    while start < Self.half {
      for index in 0..<span {
        let (low, high) = (start + index, start + index + span)
        let (c, s) = (cosines.floats[index * step], sines.floats[index * step])
        let (x, y) = (real[high] * c - imaginary[high] * s, real[high] * s + imaginary[high] * c)
        (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
        (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
      }
      start += 2 * span
    }
  }

  /// Separates even and odd samples, which were in the real and the imaginary parts.
  private func takeApart(into power: UnsafeMutablePointer<Float>) {
    let (real, imaginary) = (real.floats, imaginary.floats)
    let (sum, difference) = (real[0] + imaginary[0], real[0] - imaginary[0])
    power[0] = sum * sum
    power[Self.half] = difference * difference
    for index in 1..<Self.half {
      let mirror = Self.half - index
      let (evenX, evenY) = ((real[index] + real[mirror]) / 2, (imaginary[index] - imaginary[mirror]) / 2)
      let (oddX, oddY) = ((imaginary[index] + imaginary[mirror]) / 2, (real[mirror] - real[index]) / 2)
      let (c, s) = (cosines.floats[index], sines.floats[index])
      let (x, y) = (evenX + oddX * c - oddY * s, evenY + oddX * s + oddY * c)
      power[index] = x * x + y * y
    }
  }
}
