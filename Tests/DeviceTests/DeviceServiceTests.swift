import Codec
import Device
import Runtime
import Simulated
import Testing

/// Runs a job when the test says so.
private final class HeldRunner: JobRunner {
  var held: [Job] = []
  var isFull = false

  func submit(_ job: Job) -> Bool {
    if isFull { return false }
    held.append(job)
    return true
  }

  func finishAll() {
    let jobs = held
    held = []
    for job in jobs {
      job.run()
      job.finish()
    }
  }
}

private final class AnswerLog: DeviceDelegate {
  var answers: [String] = []
  var onAnswer: (Int, DeviceCommand) -> Void = { _, _ in }

  func deviceAnswered(_ token: Int, _ command: DeviceCommand) {
    answers.append("\(token) \(command)")
    onAnswer(token, command)
  }
}

@Suite struct DeviceServiceTests {
  private let runner = HeldRunner()
  private let log = AnswerLog()
  private let service: DeviceService

  init() {
    let identity = DeviceIdentity(name: DeviceText(), appVersion: DeviceText(), appBuild: DeviceText())
    service = DeviceService(readings: FixedReadings(), identity: identity, runner: runner)
    service.delegate = log
  }

  @Test("an observer gets the readings once, together with the requests made meanwhile")
  func observer() throws {
    final class Observer: DeviceSnapshotDelegate {
      var processors: [Int] = []
      func deviceRead(_ snapshot: borrowing DeviceSnapshot) { processors.append(snapshot.processors) }
    }
    let observer = Observer()
    #expect(service.read(for: observer))
    try service.request(5, .info)
    runner.finishAll()
    #expect(observer.processors == [4])
    #expect(log.answers == ["5 info"])
    try service.request(6, .info)
    runner.finishAll()
    #expect(observer.processors == [4])
    runner.isFull = true
    #expect(!service.read(for: observer))
  }

  @Test("a request is answered when the worker has read, with what it read")
  func answers() throws {
    var result = ""
    log.onAnswer = { [service] _, command in
      let hardware = HardwareReport(camera: HardwareState(.ok), location: HardwareState(.absent))
      result = json { service.write(command, hardware: hardware, to: &$0) }
    }
    try service.request(5, .info)
    #expect(log.answers.isEmpty)
    runner.finishAll()
    #expect(log.answers == ["5 info"])
    #expect(result.contains(#""modelIdentifier":"Talon simulated board""#))
  }

  @Test("a cancelled request is not answered")
  func cancel() throws {
    try service.request(1, .status(DeviceSections()))
    service.cancel(1)
    service.cancel(2)
    runner.finishAll()
    #expect(log.answers.isEmpty)
  }

  @Test("when no worker is free the request is refused, and later ones are not")
  func busy() throws {
    runner.isFull = true
    #expect(throws: DeviceError.busy) { try service.request(1, .status(DeviceSections())) }
    runner.isFull = false
    try service.request(2, .status(DeviceSections()))
    runner.finishAll()
    #expect(log.answers == ["2 status(Device.DeviceSections(rawValue: 0))"])
  }

  @Test("the delegate may ask again while it is called")
  func askAgain() throws {
    log.onAnswer = { [service] token, _ in
      if token < 3 { #expect(throws: Never.self) { try service.request(token + 1, .health) } }
    }
    try service.request(1, .info)
    while !runner.held.isEmpty { runner.finishAll() }
    #expect(log.answers == ["1 info", "2 health", "3 health"])
  }
}

@Suite struct DeviceServiceOnWorkersTests {
  @Test("requests that come while a worker reads share its result, up to as many as invokes may run")
  func shared() throws {
    let loop = try Loop(clock: SystemClock())
    let pool = try WorkerPool(loop: loop)
    defer { pool.stop() }
    let identity = DeviceIdentity(name: DeviceText(), appVersion: DeviceText(), appBuild: DeviceText())
    let service = DeviceService(readings: FixedReadings(), identity: identity, runner: pool)
    let log = AnswerLog()
    service.delegate = log
    log.onAnswer = { _, _ in if log.answers.count == Budget.runningInvokes { loop.stop() } }
    for token in 0..<Budget.runningInvokes { try service.request(token, .status(DeviceSections())) }
    #expect(throws: DeviceError.busy) { try service.request(99, .status(DeviceSections())) }
    try loop.run()
    #expect(Set(log.answers).count == Budget.runningInvokes)
  }
}
