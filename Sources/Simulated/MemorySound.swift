#if TALON_SOUND
  import Runtime
  import Talk

  /// A microphone that hears what it is given.
  public final class MemoryMicrophone: TalkMicrophone {
    /// Why it does not open; nil: it does, at once.
    public var failure: MicrophoneFailure?
    /// What it was opened for since start.
    public private(set) var captures: [TalkLoop.Capture] = []
    private var listener: (any TalkListener)?

    /// A closed microphone.
    public init() {}

    public var isOpen: Bool { listener != nil }

    public func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener) {
      captures.append(capture)
      if let failure { return listener.microphoneFailed(failure) }
      self.listener = listener
      listener.microphoneOpened()
    }

    public func close() { listener = nil }

    /// Hears samples of 16 kHz, in blocks as a driver gives them, as long as it is open.
    public func hear(_ samples: [Int16], block: Int = 512) {
      var start = 0
      while start < samples.count, let listener {
        let end = min(samples.count, start + block)
        samples[start..<end].withUnsafeBufferPointer { listener.microphoneHeard($0) }
        start = end
      }
    }

    /// Breaks while it is open.
    public func fail(_ failure: MicrophoneFailure) {
      let listener = self.listener
      self.listener = nil
      listener?.microphoneFailed(failure)
    }
  }

  /// A speaker that remembers what it played. It plays when it is told that time passes.
  public final class MemorySpeaker: TalkSpeaker {
    /// A sound, as far as it was heard.
    public struct Played: Equatable, Sendable {
      public var rate: Int
      public var samples: [Int16]
    }

    /// It plays nothing.
    public var isBroken = false
    /// What was played since start, the last of which may go on.
    public private(set) var played: [Played] = []
    private var sound: (any TalkSound)?

    /// A silent speaker.
    public init() {}

    public var isPlaying: Bool { sound != nil }

    public func play(rate: Int, _ sound: any TalkSound) -> Bool {
      if isBroken { return false }
      played.append(Played(rate: rate, samples: []))
      self.sound = sound
      return true
    }

    public func stop() { sound = nil }

    /// Plays so many samples of what goes on; false when nothing does any more.
    @discardableResult
    public func pass(_ count: Int) -> Bool {
      guard let sound else { return false }
      let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: count)
      defer { block.deallocate() }
      let filled = sound.speakerWants(block)
      played[played.count - 1].samples += block[..<filled]
      if filled < count {
        self.sound = nil
        sound.speakerEnded(true)
      }
      return true
    }

    /// Plays all that is there to play.
    public func run() { while pass(4_096) {} }

    /// Breaks while it plays.
    public func fail() {
      let sound = self.sound
      self.sound = nil
      sound?.speakerEnded(false)
    }
  }
#endif
