import Codec
import Runtime

/// An invoke that is too long for a turn of the loop: a worker finds what it says and decodes its parameters, one at a
/// time. Nothing more of the gateway is read meanwhile, so that invokes begin in the order in which they came.
final class LongInvoke: Job {
  private let runner: any JobRunner
  /// The frame's text; the worker's while the job is pending. Exchanged for that of the session, which is as large.
  private var frame: ReservedBuffer
  private var count = 0
  /// When it came, in milliseconds of the monotonic clock.
  private(set) var arrival: Int64 = 0
  /// What the frame says; nil: it has no payload.
  private(set) var fields: InvokeFields?
  /// Its parameters, if they are `isValid`.
  let parameters: InvokeParameters
  private(set) var isValid = false
  /// The connection that it came by has ended.
  private(set) var isDropped = false
  private let opened: () -> Void

  /// For frames of `frameBytes`, and parameters of `parameterBytes`. `opened` is called when an invoke may begin.
  init(
    frameBytes: Int, parameterBytes: Int, runner: any JobRunner, opened: @escaping () -> Void
  ) throws(Errno) {
    self.runner = runner
    self.opened = opened
    frame = try ReservedBuffer(capacity: frameBytes)
    parameters = try InvokeParameters(capacity: parameterBytes)
  }

  /// Keeps `buffer`, whose first `count` bytes are the checked frame of an invoke, and puts another one in its place.
  /// False, and nothing is exchanged, while another invoke is opened or no worker is idle.
  func begin(in buffer: inout ReservedBuffer, count: Int, at now: Int64) -> Bool {
    guard !isPending, runner.hasIdleWorker, buffer.bytes.count == frame.bytes.count else { return false }
    // A worker may begin before `submit` has returned.
    swap(&frame, &buffer)
    (self.count, arrival, isDropped) = (count, now, false)
    if runner.submit(self) { return true }
    swap(&frame, &buffer)
    return false
  }

  /// Nobody waits for the answer any more.
  func drop() { isDropped = true }

  override func run() {
    fields = nil
    let text = UnsafeBufferPointer(frame.bytes).extracting(0..<count)
    guard let payload = JSONView(text).member("payload") else { return }
    let fields = InvokeFields(payload)
    isValid = parameters.decode(fields)
    self.fields = fields
  }

  override func finish() {
    opened()
    fields = nil
    parameters.done()
    frame.release()
  }
}
