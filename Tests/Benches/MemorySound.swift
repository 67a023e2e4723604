import Runtime
import Talk

/// A simulated microphone that delivers samples from a test.
final class MemoryMicrophone: TalkMicrophone {
  /// Why it cannot be opened; nil: it opens at once.
  var failure: MicrophoneFailure?
  /// The captures for which it was opened.
  private(set) var captures: [TalkLoop.Capture] = []
  private var listener: (any TalkListener)?

  /// A closed microphone.
  init() {}

  var isOpen: Bool { listener != nil }

  func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener) {
    captures.append(capture)
    if let failure { return listener.microphoneFailed(failure) }
    self.listener = listener
    listener.microphoneOpened()
  }

  func close() { listener = nil }

  /// Delivers samples of 16 kHz, in blocks like a driver, while it is open.
  func hear(_ samples: [Int16], block: Int = 512) {
    var start = 0
    while start < samples.count, let listener {
      let end = min(samples.count, start + block)
      samples[start..<end].withUnsafeBufferPointer { listener.microphoneHeard($0) }
      start = end
    }
  }

  /// Fails while it is open.
  func fail(_ failure: MicrophoneFailure) {
    let listener = self.listener
    self.listener = nil
    listener?.microphoneFailed(failure)
  }
}

/// A simulated speaker that records what it played. It plays when a test lets time pass.
final class MemorySpeaker: TalkSpeaker {
  /// A sound, as far as it was played.
  struct Played: Equatable, Sendable {
    var rate: Int
    var samples: [Int16]
  }

  /// True: it cannot play.
  var isBroken = false
  /// The played sounds; the last one may still be playing.
  private(set) var played: [Played] = []
  private var sound: (any TalkSound)?

  /// A silent speaker.
  init() {}

  var isPlaying: Bool { sound != nil }

  func play(rate: Int, _ sound: any TalkSound) -> Bool {
    if isBroken { return false }
    played.append(Played(rate: rate, samples: []))
    self.sound = sound
    return true
  }

  func stopPlaying() { sound = nil }

  /// Plays `count` samples of the current sound; false when there is none.
  @discardableResult
  func pass(_ count: Int) -> Bool {
    guard let sound else { return false }
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: count)
    defer { block.deallocate() }
    let filled = sound.speakerNeedsSamples(block)
    played[played.count - 1].samples += block[..<filled]
    if filled < count {
      self.sound = nil
      sound.speakerEnded(true)
    }
    return true
  }

  /// Plays to the end.
  func run() { while pass(4_096) {} }

  /// Fails while it plays.
  func fail() {
    let sound = self.sound
    self.sound = nil
    sound?.speakerEnded(false)
  }
}
