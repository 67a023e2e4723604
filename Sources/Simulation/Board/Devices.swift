import Board
import Camera
import Gateway
import Location
import Runtime

/// The camera and the receiver of a simulated board: they come and go.
final class SimulatedCamera: CameraSource {
  enum State { case present, absent, hanging, broken }

  let kind: StaticString = "simulated"
  unowned(unsafe) let runner: SimulatedRunner
  unowned(unsafe) let life: Life

  /// What is shown, kept while it is looked at.
  private var picture: [UInt8] = []

  init(_ life: Life, _ runner: SimulatedRunner) {
    self.life = life
    self.runner = runner
  }

  func enumerate(into list: inout CameraList) throws(CameraError) {
    list.removeAll()
    runner.duration = 5
    guard life.incidents.camera != .absent else { return }
    list.append(Self.entry)
  }

  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    runner.duration += 100 + life.random(below: 1_500)
    switch life.incidents.camera {
    case .absent: throw .noDevice
    case .hanging:
      // A worker sits in the driver for longer than anybody waits.
      runner.duration = 60_000
      throw .stalled
    case .broken, .present: break
    }
    return StreamFacts(camera: Self.entry, format: .mjpeg, width: 0, height: 0, rate: 30_000)
  }

  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    runner.duration += 33
    switch life.incidents.camera {
    case .absent: throw .disconnected
    case .hanging: throw .stalled
    case .broken: throw .io(.inputOutput)
    case .present: break
    }
    picture = life.chance(1, in: 20) ? Self.large : Self.small
    let time = (life.board.clock.monotonic + runner.duration) * 1000
    return picture.withUnsafeBufferPointer { bytes in
      RawFrame(format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes, time: time)
    }
  }

  func stop() { runner.duration += 20 }

  func expose(_ setting: ExposureSetting) {}

  func axes(of device: CameraText) -> CameraAxes { CameraAxes() }

  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) { throw .noAxis(axis) }

  private static let entry = CameraEntry(
    id: CameraText(cutting: "/dev/video0"), name: CameraText(cutting: "Simulated"))

  private static let small = picture(width: 64, height: 48)
  /// Its base64 is longer than what the kernel holds of one connection.
  private static let large = picture(width: 640, height: 480)

  private static func picture(width: Int, height: Int) -> [UInt8] {
    var storage = [UInt8](repeating: 0, count: width * height)
    for index in storage.indices { storage[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13) }
    var output = [UInt8](repeating: 0, count: 3 * width * height + 4096)
    let count = storage.withUnsafeMutableBufferPointer { bytes in
      output.withUnsafeMutableBufferPointer { room in
        let image = PlanarImage(in: bytes, width: width, height: height, chroma: .gray)!
        return (try? TurboJPEG().encode(image, quality: 95, into: room)) ?? 0
      }
    }
    precondition(count > 0, "the simulated picture cannot be made")
    return Array(output[..<count])
  }
}

/// A receiver on a serial port that may be unplugged.
final class SimulatedReceiver: PositionSource {
  private(set) var state = PositionSourceState.absent
  var language: PositionLanguage { .receiver }
  var line: (any ReceiverLine)? { nil }
  private var sink: (any PositionSourceDelegate)?

  func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    state = .open
    sink.positionSourceOpened()
  }

  func retry() {}
  func stop() { sink = nil }

  func unplug() {
    guard state == .open else { return }
    state = .lost(.noSuchDevice)
    sink?.positionSourceLost(.noSuchDevice)
  }

  func plug() {
    guard state != .open, let sink else { return }
    state = .open
    sink.positionSourceOpened()
  }

  /// A second of sentences.
  func fix(at monotonic: Int64) {
    guard state == .open else { return }
    Self.epoch.withUnsafeBufferPointer {
      sink?.positionSourceReceived(Span(_unsafeElements: $0), at: monotonic)
    }
  }

  private static let epoch: [UInt8] = {
    func sentence(_ body: String) -> String {
      let sum = body.utf8.reduce(UInt8(0), ^)
      let digits = Array("0123456789ABCDEF")
      return "$\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\r\n"
    }
    let text =
      sentence("GPRMC,120000.00,A,4807.0380,N,01131.0000,E,10.0,84.4,211126,,,A")
      + sentence("GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
    return Array(text.utf8)
  }()
}

/// The board's two workers in virtual time: a job runs in one instant, and is finished when it would have been.
final class SimulatedRunner: JobRunner, Actor {
  private enum Step: Int { case run, finish }

  unowned(unsafe) let life: Life
  private var waiting = BoundedQueue<Job>(capacity: Budget.workerQueue)
  private var running: [(job: Job, number: Int64)] = []
  private var next: Int64 = 0
  private var isStopped = false
  /// Milliseconds that the job which runs says it takes.
  var duration: Int64 = 0

  private let threads: Int

  init(_ life: Life, threads: Int = Budget.workerThreads) {
    self.life = life
    self.threads = threads
  }

  /// No person is free to start something now.
  var isCrowded: Bool { running.count >= threads }

  func submit(_ job: Job) -> Bool {
    guard !isStopped, !job.isPending, waiting.count + running.count < Budget.workerQueue, waiting.push(job) else {
      return false
    }
    job.isPending = true
    start()
    return true
  }

  /// The power is gone, or the program has ended.
  func stop() {
    isStopped = true
    running.removeAll()
    while waiting.pop() != nil {}
  }

  private func start() {
    while running.count < threads, let job = waiting.pop() {
      next += 1
      running.append((job, next))
      life.schedule.add(self, Step.run.rawValue, next, at: life.now + life.random(below: 4))
    }
  }

  func act(_ what: Int, _ number: Int64) {
    guard let index = running.firstIndex(where: { $0.number == number }) else { return }
    let job = running[index].job
    switch Step(rawValue: what)! {
    case .run:
      duration = life.random(below: 8)
      job.run()
      if life.board.flash.wasCut { return life.board.losePower() }
      duration += life.board.flash.takeDelay()
      life.schedule.add(self, Step.finish.rawValue, number, at: life.now + duration)
    case .finish:
      running.remove(at: index)
      job.isPending = false
      job.finish()
      start()
    }
  }
}
