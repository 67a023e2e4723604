import Camera
import Canvas
import Fetch
import Gateway
import Glibc
import Graphics
import Location
import Motion
import Programs
import Runtime
import Script
import Sound
import Talk

@testable import Board

// Devices that are there at once and do what the fuzzer says. Each may fail.

final class FuzzCamera: CameraSource {
  let kind: StaticString = "simulated"
  var failure: CameraError?
  private var frames: Int64 = 0
  private let picture: [UInt8]
  private static let entry = CameraEntry(id: CameraText(cutting: "fuzz"), name: CameraText(cutting: "Fuzz"))

  init(_ jpeg: TurboJPEG) {
    var storage = [UInt8](repeating: 0, count: 64 * 48)
    for index in storage.indices { storage[index] = UInt8(truncatingIfNeeded: index &* 7 >> 3) }
    var output = [UInt8](repeating: 0, count: 16_384)
    let count = storage.withUnsafeMutableBufferPointer { bytes in
      let image = PlanarImage(in: bytes, width: 64, height: 48, chroma: .gray)!
      return output.withUnsafeMutableBufferPointer { (try? jpeg.encode(image, quality: 80, into: $0)) ?? 0 }
    }
    picture = Array(output[..<count])
  }

  func enumerate(into list: inout CameraList) throws(CameraError) {
    list.removeAll()
    if failure == nil { list.append(Self.entry) }
  }

  func start(_ order: StreamOrder) throws(CameraError) -> StreamFacts {
    if let failure { throw failure }
    var facts = StreamFacts(camera: Self.entry, format: .mjpeg, width: 0, height: 0, rate: 30_000)
    facts.isSteady = true
    return facts
  }

  func next(within milliseconds: Int64) throws(CameraError) -> RawFrame? {
    if let failure { throw failure }
    frames += 1
    return picture.withUnsafeBufferPointer { bytes in
      RawFrame(
        format: .mjpeg, width: 0, height: 0, rowBytes: 0, isFullRange: true, bytes: bytes,
        time: 1_000_000_000 + frames * 33_333)
    }
  }

  func stop() {}
  func expose(_ setting: ExposureSetting) {}
  func axes(of device: CameraText) throws(CameraError) -> CameraAxes {
    guard device == Self.entry.id else { throw .unknownDevice(device) }
    return CameraAxes()
  }
  func move(_ axis: CameraAxis, of device: CameraText, to value: Int) throws(CameraError) { throw .noAxis(axis) }
}

final class FuzzReceiver: PositionSource {
  private(set) var state = PositionSourceState.absent
  var language: PositionLanguage { .receiver }
  var line: (any ReceiverLine)? { nil }
  private var sink: (any PositionSourceDelegate)?

  func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    retry()
  }
  func retry() {
    guard state != .open, let sink else { return }
    state = .open
    sink.positionSourceOpened()
  }
  func stop() { sink = nil }
  func lose() {
    guard state == .open else { return }
    state = .lost(.noSuchDevice)
    sink?.positionSourceLost(.noSuchDevice)
  }
  func feed(_ bytes: [UInt8], at now: Int64) {
    if state == .open {
      bytes.withUnsafeBufferPointer { sink?.positionSourceReceived(Span(_unsafeElements: $0), at: now) }
    }
  }

  static let epoch: [UInt8] = {
    func sentence(_ body: String) -> String {
      let sum = body.utf8.reduce(UInt8(0), ^)
      let digits = Array("0123456789ABCDEF")
      return "$\(body)*\(digits[Int(sum >> 4)])\(digits[Int(sum & 15)])\r\n"
    }
    return Array(
      (sentence("GPRMC,120000.00,A,4807.0380,N,01131.0000,E,10.0,84.4,211126,,,A")
        + sentence("GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")).utf8)
  }()
}

final class FuzzMotion: MotionSource {
  /// What the next drain gives.
  var samples: [MotionSample] = []
  var isThere = true

  func open(rate: Float) throws(MotionError) -> MotionFacts {
    guard isThere else { throw .absent }
    return MotionFacts(name: InlineText(cutting: "fuzz" as StaticString), rate: rate, hasGyroscope: true, memory: 5_000)
  }
  func drain(into batch: MotionBatch) throws(MotionError) {
    guard isThere else { throw .vanished }
    for sample in samples.prefix(Budget.motionBatchSamples) { batch.append(sample) }
    samples = []
  }
  func close() {}
}

final class FuzzCapture: SoundCapture {
  var failure: SoundError?
  private var waiting = 0
  private var phase = 0
  private var delegate: (any SoundDeviceDelegate)?

  func look(_ order: SoundOrder) throws(SoundError) { if let failure { throw failure } }
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    if let failure { throw failure }
    let name = SoundName(cutting: "fuzz" as StaticString)
    return SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: 16_000, channels: 1, period: 640, buffer: 8000)
  }
  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) { self.delegate = delegate }
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    if let failure { throw failure }
    guard waiting > 0 else { return .nothing }
    let count = min(waiting, bytes.count / 2)
    for index in 0..<count {
      phase &+= 1
      bytes.storeBytes(of: phase & 8 == 0 ? 9_000 : -9_000, toByteOffset: 2 * index, as: Int16.self)
    }
    waiting -= count
    return .frames(count)
  }
  func stop() { delegate = nil }
  func close() {}
  func hear(_ count: Int) {
    waiting = count
    delegate?.soundReady()
    waiting = 0
  }
}

final class FuzzPlayback: SoundPlayback {
  var failure: SoundError?
  private var delegate: (any SoundDeviceDelegate)?
  private(set) var gaps = 0
  private var held = 0

  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    if let failure { throw failure }
    let name = SoundName(cutting: "fuzz" as StaticString)
    return SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: 16_000, channels: 1, period: 640, buffer: 8000)
  }
  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) { self.delegate = delegate }
  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    if let failure { throw failure }
    let count = min(bytes.count / 2, 8_000 - held)
    held += count
    return count
  }
  func begin() throws(SoundError) {}
  func waiting() throws(SoundError) -> Int { held }
  func listen(_ isOn: Bool) {}
  func stop() { delegate = nil }
  func close() { held = 0 }
  func play() {
    held = 0
    delegate?.soundReady()
  }
}

final class EvenResampler: Resampler {
  func set(from: UInt32, to: UInt32) -> Bool { from > 0 && to > 0 }
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  ) {
    let count = min(input.count, output.count)
    for index in 0..<count { output[index] = input[index] }
    return (count, count)
  }
  func reset() {}
}

/// Understands and speaks at once.
final class FuzzSpeech: LocalRecognizer, LocalVoice {
  var text = Array("switch the lamp on".utf8)
  let isReleased = true
  func prepare() {}
  func recognize(_ samples: UnsafeBufferPointer<Int16>, _ delegate: any RecognizerDelegate) -> Bool {
    guard !text.isEmpty else { return false }
    text.withUnsafeBufferPointer { delegate.recognized($0, confidence: 0.9) }
    return true
  }
  func cancel() {}
  func release() {}
  func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ delegate: any LocalVoiceDelegate) -> Bool {
    [Int16](repeating: 9, count: 800).withUnsafeBufferPointer { delegate.spoken($0, rate: 16_000) }
    return true
  }
}

/// The web, which answers what the fuzzer says.
final class FuzzWeb: FetchTransport {
  private var delegate: (any TransportDelegate)?
  private var isSecured = false
  var isOpen: Bool { delegate != nil }

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    let address = SocketAddress(literal: url.host, port: 1) ?? SocketAddress(literal: "93.184.216.34", port: 1)!
    guard judge.permits(address) else { return delegate.transportFailed(TransportFailure(.forbidden)) }
    self.delegate = delegate
    isSecured = false
  }
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count }
  func resumeReading() {}
  func close() { delegate = nil }
  func answer(_ bytes: [UInt8]) {
    if !isSecured {
      isSecured = true
      delegate?.transportSecured(certificate: nil)
    }
    _ = delegate?.transportReceived(bytes.span)
  }
  func fail() {
    let delegate = delegate
    self.delegate = nil
    delegate?.transportFailed(TransportFailure(.broken))
  }
}

/// Decodes what scripts bring along, as the program does.
final class FuzzPictures: PictureReader {
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    do throws(PictureFault) {
      return try PictureDecoder.decode(bytes, PictureLimit(wanted: Size(640, 480)))
    } catch {
      return nil
    }
  }
}

/// Runs every job in its turn on this thread, and lets the one thread of scripts call the loop.
final class FuzzRunner: JobRunner, LoopCaller {
  private var jobs: [Job] = []

  func submit(_ job: Job) -> Bool {
    guard !job.isPending, jobs.count < Budget.workerQueue else { return false }
    job.isPending = true
    jobs.append(job)
    return true
  }

  /// True when there was one.
  func runAll() -> Bool {
    let hadJobs = !jobs.isEmpty
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      job.run()
      job.isPending = false
      job.finish()
    }
    return hadJobs
  }

  func call(_ call: LoopCall) -> Bool {
    call.answer()
    return true
  }
}

/// A service that runs programs, which write and end as the dice say.
final class FuzzPrograms: ProgramLink {
  private var delegate: (any ProgramDelegate)?

  func begin(_ words: UnsafeBufferPointer<UInt8>, milliseconds: Int64, _ delegate: any ProgramDelegate) -> Bool {
    expect(self.delegate == nil, "two runs at once over one link")
    expect(RunMessage.words(words) != nil && milliseconds > 0, "a request that the service refuses")
    self.delegate = delegate
    return true
  }

  func cancel() { delegate = nil }

  var hasService: Bool { true }

  func isInstalled(_ path: String) -> Bool { path == "/bin/sh" }

  func goOn(_ dice: Dice) {
    guard let delegate else { return }
    let bytes = (0..<dice.below(Budget.runFrameBytes + 1)).map { _ in UInt8(dice.below(256)) }
    bytes.withUnsafeBufferPointer { delegate.programWrote($0, isError: dice.chance(1, in: 3)) }
    if dice.chance(1, in: 8) { delegate.programCut() }
    guard dice.chance(1, in: 2), self.delegate != nil else { return }
    self.delegate = nil
    switch dice.below(5) {
    case 0: delegate.programEnded(.signal(Int32(dice.below(65))))
    case 1: delegate.programEnded(.timedOut)
    case 2: delegate.programEnded(.lost)
    case 3:
      bytes.withUnsafeBufferPointer { delegate.programRefused($0) }
      delegate.programEnded(.refused)
    default: delegate.programEnded(.exited(Int32(dice.below(256))))
    }
  }
}
