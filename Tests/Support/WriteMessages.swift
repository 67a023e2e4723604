/// A sample, and a series with its labels, as a server reads them.
public struct ReadSample: Equatable {
  public var value: Double
  public var time: Int64

  public init(value: Double, time: Int64) { (self.value, self.time) = (value, time) }
}

public struct ReadSeries: Equatable {
  public var labels: [(name: String, value: String)] = []
  public var samples: [ReadSample] = []

  public subscript(_ name: String) -> String? { labels.first { $0.name == name }?.value }
  public static func == (left: ReadSeries, right: ReadSeries) -> Bool {
    left.samples == right.samples && left.labels.map(\.name) == right.labels.map(\.name)
      && left.labels.map(\.value) == right.labels.map(\.value)
  }
}

/// Reads the message of remote write, for tests: protocol buffers' wire format, every field known.
public struct MessageReader {
  public enum Wrong: Error { case wrong(String) }

  private var bytes: ArraySlice<UInt8>

  public static func read(_ bytes: [UInt8]) throws -> [ReadSeries] {
    var reader = MessageReader(bytes: bytes[...])
    var all: [ReadSeries] = []
    while !reader.bytes.isEmpty {
      guard try reader.varint() == 0x0A else { throw Wrong.wrong("a field of WriteRequest") }
      var inner = try reader.message()
      var series = ReadSeries()
      while !inner.bytes.isEmpty {
        switch try inner.varint() {
        case 0x0A:
          var label = try inner.message()
          guard try label.varint() == 0x0A else { throw Wrong.wrong("a label without a name") }
          let name = try label.message()
          guard try label.varint() == 0x12 else { throw Wrong.wrong("a label without a value") }
          let value = try label.message()
          guard label.bytes.isEmpty else { throw Wrong.wrong("more in a label") }
          series.labels.append(
            (String(decoding: name.bytes, as: UTF8.self), String(decoding: value.bytes, as: UTF8.self)))
        case 0x12:
          var sample = try inner.message()
          series.samples.append(try sample.sample())
        default: throw Wrong.wrong("a field of TimeSeries")
        }
      }
      all.append(series)
    }
    return all
  }

  private mutating func sample() throws -> ReadSample {
    var sample = ReadSample(value: 0, time: 0)
    while !bytes.isEmpty {
      switch try varint() {
      case 0x09:
        guard bytes.count >= 8 else { throw Wrong.wrong("a double") }
        var bits: UInt64 = 0
        for (index, byte) in bytes.prefix(8).enumerated() { bits |= UInt64(byte) << (8 * UInt64(index)) }
        bytes = bytes.dropFirst(8)
        sample.value = Double(bitPattern: bits)
      case 0x10: sample.time = Int64(bitPattern: try varint())
      default: throw Wrong.wrong("a field of Sample")
      }
    }
    return sample
  }

  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { throw Wrong.wrong("a varint") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Wrong.wrong("a varint")
  }

  private mutating func message() throws -> MessageReader {
    let count = Int(try varint())
    guard count <= bytes.count else { throw Wrong.wrong("a length") }
    defer { bytes = bytes.dropFirst(count) }
    return MessageReader(bytes: bytes.prefix(count))
  }
}
