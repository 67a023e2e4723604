import Codec
import Runtime

/// The report on sensor and engine, for people and programs at the board.
extension MotionService {
  /// Writes one object, with the state after the last drain: g, degrees and degrees a second, in the sensor's axes.
  /// Ages are in milliseconds; `now` is the clock's, so that rates can be computed from two reports.
  public func writeReport(to writer: inout JSONWriter, now: Int64) {
    writer.beginObject()
    writer.key("now")
    writer.int(now)
    writeSource(to: &writer)
    if let facts {
      writer.key("sensor")
      writer.string(facts.name.span)
      writer.key("rate")
      writer.decimal(Double(facts.rate), fractionDigits: 1)
      writer.key("samples")
      writer.uint(state.samples)
      writeSample(hasGyroscope: facts.hasGyroscope, to: &writer)
    }
    writeMeaning(now, to: &writer)
    writer.key("gaps")
    writer.uint(gaps)
    writer.key("failures")
    writer.uint(failures)
    if let positions {
      writer.key("positions")
      writer.int(Int64(positions.count))
      writer.key("pending")
      writer.int(Int64(positions.pending))
    }
    writer.endObject()
  }

  private func writeSource(to writer: inout JSONWriter) {
    writer.key("state")
    switch source {
    case .absent: writer.string("absent")
    case .opening: writer.string("opening")
    case .open: writer.string("open")
    case .lost(let error):
      writer.string("lost")
      var reason = InlineText<128>()
      reason.fill { buffer in
        var text = ByteWriter(into: buffer)
        text.text(error.wire.text)
        error.writeDetail(to: &text)
        return min(text.count, buffer.count)
      }
      writer.key("reason")
      writer.string(reason.span)
    }
  }

  private func writeSample(hasGyroscope: Bool, to writer: inout JSONWriter) {
    state.sample.acceleration.write("acceleration", 1, digits: 3, to: &writer)
    if hasGyroscope { state.sample.rotation.write("rotation", Angle.degrees, digits: 1, to: &writer) }
    writer.key("pitch")
    writer.decimal(Double(state.orientation.pitch), fractionDigits: 1)
    writer.key("roll")
    writer.decimal(Double(state.orientation.roll), fractionDigits: 1)
    let calibration = keeper.calibration
    writer.key("calibration")
    writer.beginObject()
    calibration.offset.write("offset", 1, digits: 4, to: &writer)
    calibration.scale.write("scale", 1, digits: 4, to: &writer)
    calibration.bias.write("bias", Angle.degrees, digits: 3, to: &writer)
    writer.endObject()
  }

  private func writeMeaning(_ now: Int64, to writer: inout JSONWriter) {
    writer.key("steps")
    writer.uint(state.steps)
    writer.key("distanceMeters")
    writer.decimal(state.distance, fractionDigits: 1)
    writer.key("cadence")
    writer.decimal(Double(state.cadence), fractionDigits: 0)
    writer.key("activity")
    writer.string(state.reading.activity.word)
    writer.key("confidence")
    writer.string(state.reading.confidence.word)
    if state.reading.activity != .unknown {
      writer.key("activityAge")
      writer.int(max(now - state.since, 0))
    }
    writer.key("impacts")
    writer.uint(state.impacts)
  }
}

extension Vector3 {
  fileprivate func write(_ key: StaticString, _ scale: Float, digits: Int, to writer: inout JSONWriter) {
    writer.key(key)
    writer.beginArray()
    writer.decimal(Double(x * scale), fractionDigits: digits)
    writer.decimal(Double(y * scale), fractionDigits: digits)
    writer.decimal(Double(z * scale), fractionDigits: digits)
    writer.endArray()
  }
}

extension Activity {
  fileprivate var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .stationary: "stationary"
    case .walking: "walking"
    case .running: "running"
    case .cycling: "cycling"
    case .automotive: "automotive"
    }
  }
}
