/// Reads snappy's block format (format_description.txt of google/snappy), for tests: whole input, no limits.
public enum Snappy {
  public static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    var index = 0
    var (length, shift) = (0, 0)
    while true {
      guard index < bytes.count, shift < 35 else { return nil }
      let byte = Int(bytes[index])
      index += 1
      length |= (byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    var output: [UInt8] = []
    func little(_ count: Int) -> Int? {
      guard index + count <= bytes.count else { return nil }
      defer { index += count }
      return (0..<count).reduce(0) { $0 | Int(bytes[index + $1]) << ($1 * 8) }
    }
    while index < bytes.count {
      let tag = Int(bytes[index])
      index += 1
      var (count, offset) = ((tag >> 2) + 1, 0)
      switch tag & 3 {
      case 0:
        if count > 60 {
          guard let long = little(count - 60) else { return nil }
          count = long + 1
        }
        guard index + count <= bytes.count else { return nil }
        output += bytes[index..<(index + count)]
        index += count
        continue
      case 1:
        guard let low = little(1) else { return nil }
        (count, offset) = (((tag >> 2) & 7) + 4, (tag >> 5) << 8 | low)
      case 2:
        guard let place = little(2) else { return nil }
        offset = place
      default:
        guard let place = little(4) else { return nil }
        offset = place
      }
      guard offset > 0, offset <= output.count else { return nil }
      for _ in 0..<count { output.append(output[output.count - offset]) }
    }
    return output.count == length ? output : nil
  }
}
