import Camera
import Codec
import Node
import Runtime

/// The known state of the cameras, for `device.health`, `talon status` and the log, which has each change once.
final class CameraJournal {
  /// The state of the cameras according to the last command.
  enum Finding {
    case unknown, present
    case failing(CameraError)
  }

  /// The source whose damaged frames are counted.
  enum Source: Int { case photos, clips }

  private(set) var finding = Finding.unknown
  /// Number of cameras in the last list.
  private(set) var count = 0
  /// Damaged frames that were skipped since start.
  var damagedFrames: Int { faults[0] + faults[1] }

  private var faults: InlineArray<2, Int> = [0, 0]
  /// A checksum of the mismatches that were logged last.
  private var mismatchChecksum = Checksum().value
  private var isLightBroken = false
  /// The faults of all frames of a camera that were logged, as bits by their numbers.
  private var habits: UInt16 = 0
  /// How the last photo was exposed that was logged.
  private var exposure = FrameExposure.right
  private let log: Log

  init(log: Log) { self.log = log }

  /// True when the last command found a camera that works.
  var isPresent: Bool {
    if case .present = finding { true } else { false }
  }

  /// Takes the result of a command: an error, or nil.
  /// - Parameters:
  /// - stream: the stream of the command.
  /// - cameras: how many were listed, for a list.
  func learn(_ error: CameraError?, after stream: CameraStream? = nil, cameras: Int? = nil) {
    if let stream {
      logLight(stream)
      say(stream.mismatches)
    }
    // Errors of the request say nothing about the camera.
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

  /// Takes the mismatches of the configuration's controls, and logs them once.
  private func say(_ mismatches: ControlMismatches) {
    var sum = Checksum()
    forEach(mismatches) { sum.update(UnsafeRawBufferPointer($0)) }
    guard sum.value != mismatchChecksum else { return }
    mismatchChecksum = sum.value
    forEach(mismatches) { text in log.write(.warning, "camera") { $0.add(text) } }
  }

  private func forEach(_ mismatches: ControlMismatches, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for index in 0..<mismatches.count {
      var text = InlineText<256>()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        mismatches[index].write(to: &writer)
        return min(writer.count, buffer.count)
      }
      text.span.withUnsafeBufferPointer(body)
    }
  }

  /// Takes the number of damaged frames of one source since start.
  func count(_ seen: FrameFaults, of source: Source) {
    let new = seen.total - faults[source.rawValue]
    guard new > 0 else { return }
    faults[source.rawValue] = seen.total
    log.write(.info, "camera") { line in
      line.add("left out damaged frames: ")
      line.add(Int64(new))
    }
  }

  /// Takes what every frame of the camera lacks, and logs it once.
  func learn(habit: FrameFault?) {
    guard let habit, habits >> UInt16(habit.rawValue) & 1 == 0 else { return }
    habits |= 1 << UInt16(habit.rawValue)
    log.write(.notice, "camera") { line in
      line.add("every frame of the camera has the same fault (")
      line.add(habit.text)
      line.add("): frames are used if they can be decoded")
    }
  }

  /// Takes how a photo is exposed, nil when that was not measured, and logs it when it shows nothing: once, until a
  /// photo shows something.
  func learn(exposure: FrameExposure?) {
    guard let exposure, exposure != self.exposure else { return }
    self.exposure = exposure
    if let warning = exposure.warning { log.write(.warning, "camera", warning) }
  }

  private func isNew(_ error: CameraError?) -> Bool {
    switch (finding, error) {
    case (.unknown, _), (.present, .some), (.failing, nil): true
    case (.present, nil): false
    case (.failing(let before), .some(let now)): !before.isLike(now)
    }
  }

  private func logLight(_ stream: CameraStream) {
    if stream.isLightBroken, !isLightBroken {
      log.write(.warning, "camera", "the camera's privacy light does not work")
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
  func writeCamera(to writer: inout JSONWriter) {
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
