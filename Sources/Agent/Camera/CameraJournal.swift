import Camera
import Codec
import Runtime

/// What is known of the cameras, for `device.health`, `talon status` and the log, where each change stands once.
final class CameraJournal {
  /// What cameras are, as far as the last command found out.
  enum Finding {
    case unknown, present
    case failing(CameraError)
  }

  /// Whose damaged frames are counted.
  enum Source: Int { case photos, clips }

  private(set) var finding = Finding.unknown
  /// Cameras listed last.
  private(set) var count = 0
  /// Damaged frames that were left out since the start.
  var damagedFrames: Int { faults[0] + faults[1] }

  private var faults: InlineArray<2, Int> = [0, 0]
  /// A sum over the complaints that were logged last.
  private var complaintsSum = Checksum().value
  private var isLightBroken = false
  private let log: Log

  init(log: Log) { self.log = log }

  /// True when the last look found a camera that works.
  var isPresent: Bool {
    if case .present = finding { true } else { false }
  }

  /// Takes what a command found out: an error, or none.
  /// - Parameters:
  ///   - stream: what the command had, and nobody has now.
  ///   - cameras: how many were listed, when that was the command.
  func learn(_ error: CameraError?, after stream: CameraStream? = nil, cameras: Int? = nil) {
    if let stream {
      sayLight(stream)
      say(stream.complaints)
    }
    // Errors about the request say nothing of the camera.
    if let error, error.nextStep == nil { return }
    let isNews = isNew(error) || error == nil && cameras.map { $0 != count } ?? false
    finding = error.map { .failing($0) } ?? .present
    if let cameras { count = cameras }
    guard isNews else { return }
    if let error { return log.write(.warning, "camera") { error.write(to: &$0) } }
    log.write(.info, "camera") { line in
      guard let cameras else { return line.add("the camera works") }
      line.add(Int64(cameras))
      line.add(cameras == 1 ? " camera is there" : " cameras are there")
    }
  }

  /// Takes what a camera did not take of the configuration's controls, and says it once.
  private func say(_ complaints: ControlComplaints) {
    var sum = Checksum()
    forEach(complaints) { sum.update(UnsafeRawBufferPointer($0)) }
    guard sum.value != complaintsSum else { return }
    complaintsSum = sum.value
    forEach(complaints) { text in log.write(.warning, "camera") { $0.add(text) } }
  }

  private func forEach(_ complaints: ControlComplaints, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for index in 0..<complaints.count {
      var text = InlineText<256>()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        complaints[index].write(to: &writer)
        return min(writer.count, buffer.count)
      }
      text.span.withUnsafeBufferPointer(body)
    }
  }

  /// Takes the damaged frames of one source since the start.
  func count(_ seen: FrameFaults, of source: Source) {
    let new = seen.total - faults[source.rawValue]
    guard new > 0 else { return }
    faults[source.rawValue] = seen.total
    log.write(.info, "camera") { line in
      line.add("left out damaged frames: ")
      line.add(Int64(new))
    }
  }

  private func isNew(_ error: CameraError?) -> Bool {
    switch (finding, error) {
    case (.unknown, _), (.present, .some), (.failing, nil): true
    case (.present, nil): false
    case (.failing(let before), .some(let now)): !before.isLike(now)
    }
  }

  private func sayLight(_ stream: CameraStream) {
    if stream.isLightBroken, !isLightBroken {
      log.write(.warning, "camera", "the light that shows that the camera is on does not work")
    }
    isLightBroken = stream.isLightBroken
  }
}

extension CameraError {
  /// True when both are of one kind.
  func isLike(_ other: CameraError) -> Bool { wire.text.utf8Start == other.wire.text.utf8Start }

  /// The error in a log line.
  func write(to line: inout LogLine) {
    var text = InlineText<256>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(wire.text)
      writeDetail(to: &writer)
      return min(writer.count, buffer.count)
    }
    line.add(text.span)
  }
}

extension CameraCommands {
  /// Writes the member "camera" of the agent's status.
  func writeStatus(to writer: inout JSONWriter) {
    writer.key("camera")
    writer.beginObject()
    writer.key("isEnabled")
    writer.bool(policy.isEnabled)
    writer.key("isOpen")
    writer.bool(isOpen)
    writer.key("cameras")
    writer.int(Int64(journal.count))
    writer.key("damagedFrames")
    writer.int(Int64(journal.damagedFrames))
    if case .failing(let error) = journal.finding {
      writer.key("trouble")
      writer.string(error.wire.text)
      if let step = error.nextStep {
        writer.key("step")
        writer.string(step)
      }
    }
    writer.endObject()
  }
}
