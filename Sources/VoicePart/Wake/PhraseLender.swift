import Codec
import Node
import Runtime
import Sound

/// Gets the recordings for a phrase that a person teaches.
protocol TakeDelegate: AnyObject {
  /// Recording has begun.
  func takeBegan(_ call: Int)
  /// The whole recording, of 16 kHz; valid until this returns.
  func takeEnded(_ call: Int, _ samples: UnsafeBufferPointer<Int16>)
  /// There is no recording, for this reason.
  func takeFailed(_ call: Int, _ failure: DeskFailure)
}

/// Lends the microphone to a program at the board to which a person says a phrase (`talon listen --enrol`), for one
/// recording after the other, each of `Budget.enrolTakeSamples`. From the first one until the program disconnects the
/// wake service does not have the microphone. A conversation, the board's own speech, and panic end it.
final class PhraseLender: Part, MicrophoneListener {
  private let microphone: Microphone
  private let storage: ReservedBuffer
  /// Samples skipped since the recording was requested, and those recorded.
  private var (skipped, count) = (0, 0)
  /// The client that teaches a phrase.
  private var client: Int?
  /// Gets the recording.
  private var call: Int?
  private unowned(unsafe) var delegate: (any TakeDelegate)?

  /// A lender of this microphone. It reserves address space, and uses memory only while a phrase is taught.
  init(_ microphone: Microphone) throws(Errno) {
    self.microphone = microphone
    storage = try ReservedBuffer(capacity: 2 * Budget.enrolTakeSamples)
    super.init()
  }

  /// The operation `take`: records 3 s: `started` when it begins, and then `{rate, samples}`, 16 bits in base64. Until
  /// the client disconnects the wake service does not have the microphone.
  override var operations: [ControlRow] {
    [
      ControlRow("take") { (control, call, _) in
        guard let client = control.client(of: call) else { return }
        self.record(call, for: client, control)
      }
    ]
  }

  /// A program requests a recording: `delegate` gets its beginning and its end, or the failure.
  func record(_ call: Int, for client: Int, _ delegate: any TakeDelegate) {
    guard self.client == nil || self.client == client, self.call == nil else {
      return delegate.takeFailed(call, DeskFailure("BUSY", "another program at this board teaches a phrase"))
    }
    (self.client, self.call, self.delegate) = (client, call, delegate)
    (skipped, count) = (0, 0)
    // This fails at once when the microphone may not be used.
    microphone.want(.teaching, self)
    if self.call != nil, microphone.use != .teaching { fail(.taken) }
  }

  /// A program has disconnected: it teaches no phrase any more.
  override func clientDisconnected(_ gone: Int) { if client == gone { leave() } }

  private func leave() {
    guard client != nil else { return }
    (client, call) = (nil, nil)
    microphone.release(.teaching)
    storage.release()
  }

  private func fail(_ failure: DeskFailure) {
    let call = self.call
    leave()
    if let call { delegate?.takeFailed(call, failure) }
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
      if skipped >= Budget.enrolSkippedSamples { delegate?.takeBegan(call) }
      return
    }
    let samples = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    let length = min(block.count, samples.count - count)
    (samples.baseAddress! + count).update(from: block.baseAddress!, count: length)
    count += length
    guard count == samples.count else { return }
    self.call = nil
    delegate?.takeEnded(call, UnsafeBufferPointer(samples))
  }
}

extension DeskFailure {
  /// A use of higher rank has the microphone.
  fileprivate static var taken: DeskFailure {
    DeskFailure("BUSY", "a conversation or the board's own speech has the microphone: try again after it")
  }
}
