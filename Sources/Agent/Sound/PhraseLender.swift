import Runtime
import Sound

/// Waits for recordings of somebody who teaches a phrase.
protocol TakeOwner: AnyObject {
  /// It records from now on.
  func takeBegan(_ call: Int)
  /// The whole recording, of 16 kHz; gone when this returns.
  func takeEnded(_ call: Int, _ samples: UnsafeBufferPointer<Int16>)
  /// There is none, for this reason.
  func takeFailed(_ call: Int, _ failure: DeskFailure)
}

/// Lends the microphone to a program at the board to which a person says a phrase (`talon listen --enrol`), one recording after the other, each of
/// `Budget.enrolTakeSamples`. From the first one until the program is gone nobody listens for phrases; whoever talks with the board, what it
/// says itself, and panic end it.
final class PhraseLender: MicrophoneListener {
  private let microphone: Microphone
  private let storage: ReservedBuffer
  /// Samples left out since the recording was asked for, and those recorded.
  private var (skipped, count) = (0, 0)
  /// Who teaches.
  private var client: Int?
  /// Who waits for a recording.
  private var call: Int?
  private unowned(unsafe) var owner: (any TakeOwner)?

  /// A lender of this microphone. Takes address space, and memory only while somebody teaches.
  init(_ microphone: Microphone) throws(Errno) {
    self.microphone = microphone
    storage = try ReservedBuffer(capacity: 2 * Budget.enrolTakeSamples)
  }

  /// A program wants a recording: `owner` hears of its beginning and of its end, or of what is in the way.
  func record(_ call: Int, for client: Int, _ owner: any TakeOwner) {
    guard self.client == nil || self.client == client, self.call == nil else {
      return owner.takeFailed(call, DeskFailure("BUSY", "another program at this board teaches a phrase"))
    }
    (self.client, self.call, self.owner) = (client, call, owner)
    (skipped, count) = (0, 0)
    // Where nobody may hear anything this fails at once.
    microphone.want(.teaching, self)
    if self.call != nil, microphone.use != .teaching { fail(.taken) }
  }

  /// A program is gone: it teaches nothing any more.
  func clientGone(_ gone: Int) { if client == gone { leave() } }

  private func leave() {
    guard client != nil else { return }
    (client, call) = (nil, nil)
    microphone.release(.teaching)
    storage.release()
  }

  private func fail(_ failure: DeskFailure) {
    let call = self.call
    leave()
    if let call { owner?.takeFailed(call, failure) }
  }

  // MARK: MicrophoneListener

  func microphoneTurned(_ isYours: Bool) {
    if !isYours { fail(.taken) }
  }

  func microphoneLost(_ error: SoundError) {
    fail(DeskFailure("UNAVAILABLE") { error.write(to: &$0) })
  }

  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    guard let call else { return }
    // A microphone clicks when it is switched on.
    guard skipped >= Budget.enrolSkippedSamples else {
      skipped += block.count
      if skipped >= Budget.enrolSkippedSamples { owner?.takeBegan(call) }
      return
    }
    let samples = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    let length = min(block.count, samples.count - count)
    (samples.baseAddress! + count).update(from: block.baseAddress!, count: length)
    count += length
    guard count == samples.count else { return }
    self.call = nil
    owner?.takeEnded(call, UnsafeBufferPointer(samples))
  }
}

extension DeskFailure {
  /// Somebody goes first.
  fileprivate static var taken: DeskFailure {
    DeskFailure("BUSY", "somebody talks with the board, or it speaks, which goes first: try again when that is over")
  }
}
