import Codec
import Runtime

/// The message of Prometheus' remote write 1.0: `WriteRequest` of prometheus/prompb, in the wire format of protocol
/// buffers ("Encoding"). A field is its number with a wire type, and a length where it is text or a message:
///
///     WriteRequest { repeated TimeSeries timeseries = 1; }
///     TimeSeries   { repeated Label labels = 1; repeated Sample samples = 2; }
///     Label        { string name = 1; string value = 2; }
///     Sample       { double value = 1; int64 timestamp = 2; }
///
/// Labels are sorted by their names; the series' own name is the label `__name__`. A value of 0 is left out, as the
/// format's encoders do.
public struct WriteRequest {
  private static let name: StaticString = "__name__"

  private let labels: BoardLabels
  private let texts: MetricTexts

  /// A request of the board with these labels.
  public init(_ labels: BoardLabels, _ texts: MetricTexts) { (self.labels, self.texts) = (labels, texts) }

  /// Writes all samples of a batch, and returns how many those are.
  public func write(_ batch: SampleBatch, to writer: inout ByteWriter) -> Int {
    var samples = 0
    for row in MetricCatalogue.rows {
      var length = 0
      var some = 0
      for interval in 0..<batch.count {
        guard let value = batch.value(row.metric, interval) else { continue }
        length += Self.fieldLength(Self.sampleLength(value, batch.time(interval)))
        some += 1
      }
      if some == 0 { continue }
      samples += some
      var measure = ByteWriter()
      write(labelsOf: row, to: &measure)
      writer.byte(0x0A)
      writer.varint(UInt64(measure.count + length))
      write(labelsOf: row, to: &writer)
      for interval in 0..<batch.count {
        guard let value = batch.value(row.metric, interval) else { continue }
        Self.write(value, batch.time(interval), to: &writer)
      }
    }
    return samples
  }

  // MARK: Samples

  private static func write(_ value: Double, _ time: Int64, to writer: inout ByteWriter) {
    writer.byte(0x12)
    writer.varint(UInt64(sampleLength(value, time)))
    if value != 0 {
      writer.byte(0x09)
      var bits = value.bitPattern
      for _ in 0..<8 {
        writer.byte(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
      }
    }
    guard time != 0 else { return }
    writer.byte(0x10)
    writer.varint(UInt64(bitPattern: time))
  }

  private static func sampleLength(_ value: Double, _ time: Int64) -> Int {
    (value == 0 ? 0 : 9) + (time == 0 ? 0 : 1 + varintLength(UInt64(bitPattern: time)))
  }

  private static func varintLength(_ value: UInt64) -> Int { max(64 - value.leadingZeroBitCount + 6, 7) / 7 }

  /// Of a field that has a length: both of its heads have one byte each, or more where it is long.
  private static func fieldLength(_ length: Int) -> Int { 1 + varintLength(UInt64(length)) + length }

  // MARK: Labels

  /// Writes the labels by their names: the name of the series, those of the board, and those of the series.
  private func write(labelsOf row: MetricRow, to writer: inout ByteWriter) {
    var (common, own, isNamed) = (0, 0, false)
    while true {
      let isCommonLeft = common < labels.count
      let isOwnLeft = own < row.labels.count
      let isOwnBeforeCommon =
        isOwnLeft
        && (!isCommonLeft || row.labels[own].name.utf8Bytes.isLess(than: labels[common].name.span))
      if !isNamed {
        let isBeforeOwn = !isOwnLeft || Self.name.utf8Bytes.isLess(than: row.labels[own].name.utf8Bytes)
        let isBeforeCommon = !isCommonLeft || Self.name.utf8Bytes.isLess(than: labels[common].name.span)
        if isBeforeOwn, isBeforeCommon {
          Self.write(Self.name.utf8Bytes, row.name.utf8Bytes, to: &writer)
          isNamed = true
          continue
        }
      }
      if isOwnBeforeCommon {
        write(row.labels[own], to: &writer)
        own += 1
      } else if isCommonLeft {
        Self.write(labels[common].name.span, labels[common].value.span, to: &writer)
        common += 1
      } else {
        return
      }
    }
  }

  private func write(_ label: MetricLabel, to writer: inout ByteWriter) {
    let name = label.name.utf8Bytes
    switch label.value {
    case .literal(let value): Self.write(name, value.utf8Bytes, to: &writer)
    case .version: Self.write(name, texts.version.span, to: &writer)
    case .system: Self.write(name, texts.system.span, to: &writer)
    case .slot: Self.write(name, texts.slot.span, to: &writer)
    }
  }

  private static func write(_ name: Span<UInt8>, _ value: Span<UInt8>, to writer: inout ByteWriter) {
    // A label without a value is the same as none.
    if value.isEmpty { return }
    writer.byte(0x0A)
    writer.varint(UInt64(fieldLength(name.count) + fieldLength(value.count)))
    writer.byte(0x0A)
    writer.varint(UInt64(name.count))
    writer.bytes(name)
    writer.byte(0x12)
    writer.varint(UInt64(value.count))
    writer.bytes(value)
  }
}
