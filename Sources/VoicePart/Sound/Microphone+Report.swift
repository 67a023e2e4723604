import Codec
import Device
import Runtime
import Sound

extension Microphone {
  /// The level and the state of the device, for people and programs at the board. Levels are parts of full scale.
  /// `wake`: the wake service, whose scores are added.
  func writeReport(to writer: inout JSONWriter, _ wake: WakeService? = nil) {
    let meter = intake.meter
    writer.beginObject()
    writer.key("now")
    writer.int(now)
    writer.key("state")
    writer.string(hardware.state.word)
    if let detail = hardware.detail {
      writer.key("detail")
      writer.string(detail)
    }
    writer.key("isOpen")
    writer.bool(isOpen)
    if let use {
      writer.key("use")
      writer.string(use.word)
    }
    if let facts { write(facts, to: &writer) }
    if isCapturing {
      writer.key("level")
      writer.double(Double(meter.level))
      writer.key("peak")
      writer.double(Double(meter.peak))
      writer.key("floor")
      writer.double(Double(meter.floor))
      writer.key("offset")
      writer.double(Double(meter.offset))
      writer.key("gain")
      writer.double(Double(intake.factor))
      writer.key("isSpeech")
      writer.bool(meter.isSpeech)
      writer.key("verdict")
      writer.string(meter.verdict.word)
    }
    if isCapturing, let words, let state = words.state {
      writer.key("words")
      words.write(state, to: &writer)
    }
    writer.key("blocks")
    writer.uint(meter.blocks)
    writer.key("gaps")
    writer.uint(gaps)
    writer.key("failures")
    writer.uint(failures)
    if let wake {
      writer.key("wake")
      wake.writeScores(to: &writer)
    }
    writer.endObject()
  }

  private func write(_ facts: SoundFacts, to writer: inout JSONWriter) {
    writer.key("card")
    writer.string(facts.card.span)
    writer.key("device")
    writer.int(Int64(facts.device))
    var format = InlineText<16>()
    format.fill { bytes in
      var text = ByteWriter(into: bytes)
      facts.format.write { text.text($0) }
      return min(text.count, bytes.count)
    }
    writer.key("format")
    writer.string(format.span)
    writer.key("rate")
    writer.uint(UInt64(facts.rate))
    writer.key("channels")
    writer.int(Int64(facts.channels))
  }
}
