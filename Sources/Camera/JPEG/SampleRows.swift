// Loops over the samples of a row. Common steps are constants, so that the loops are vectorized.

/// Copies every `step`th sample.
func copySamples(
  _ from: UnsafePointer<UInt8>, _ step: Int, into to: UnsafeMutablePointer<UInt8>, _ count: Int
) {
  switch step {
  case 1: to.update(from: from, count: count)
  case 2: for x in 0..<count { to[x] = from[2 &* x] }
  case 4: for x in 0..<count { to[x] = from[4 &* x] }
  default: for x in 0..<count { to[x] = from[x &* step] }
  }
}

/// The means of every `step`th sample of two rows.
func averageSamples(
  _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ step: Int,
  into to: UnsafeMutablePointer<UInt8>, _ count: Int
) {
  switch step {
  case 1: for x in 0..<count { to[x] = mean(first[x], second[x]) }
  case 2: for x in 0..<count { to[x] = mean(first[2 &* x], second[2 &* x]) }
  case 4: for x in 0..<count { to[x] = mean(first[4 &* x], second[4 &* x]) }
  default: for x in 0..<count { to[x] = mean(first[x &* step], second[x &* step]) }
  }
}

@inline(__always)
private func mean(_ first: UInt8, _ second: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (UInt16(first) &+ UInt16(second) &+ 1) &>> 1)
}

/// Adds every `step`th sample, times `weight`, to `sums`.
func addSamples(
  _ row: UnsafePointer<UInt8>, _ step: Int, _ weight: UInt32, to sums: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  if step == 1 {
    for x in 0..<count { sums[x] &+= UInt32(row[x]) &* weight }
  } else {
    for x in 0..<count { sums[x] &+= UInt32(row[x &* step]) &* weight }
  }
}
