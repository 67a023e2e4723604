import Board
import Codec
import Motion
import Runtime

/// `talon imu`: the motion sensor of the running agent, and its calibration; `talon imu probe`, which needs no agent:
/// finds the sensor.
enum ImuCommand {
  /// The bus of the pins on a Raspberry Pi's header.
  private static let usualBus = "/dev/i2c-1"
  /// The rate that `probe` requests, in samples per second, and for how long it reads.
  private static let rate: Float = 50
  private static let listeningMilliseconds: Int32 = 300

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard let word = options.words.first else { return try ImuView.run(options) }
    if word == "calibrate" { return try CalibrateCommand.run(options) }
    guard word == "probe" else { throw Failure(.usage, "expected: talon imu, talon imu calibrate or talon imu probe") }
    if options.has("--iio") {
      return try listen(
        to: IIOMotionSource(device: options.value("--device"), clock: SystemClock()), "the kernel's IIO")
    }
    return try probe(
      options.value("--bus") ?? usualBus, try options.value("--address").map(address),
      try options.value("--chip").flatMap(chip))
  }

  /// The chip of a name; nil for auto.
  private static func chip(_ text: String) throws(Failure) -> ChipKind? {
    var kind: ChipKind?
    if let complaint = ConfigurationKey.chip(text, &kind) { throw Failure(.usage, "--chip \(complaint)") }
    return kind
  }

  /// An address of 7 bits, hexadecimal after 0x, or decimal.
  private static func address(_ text: String) throws(Failure) -> UInt8 {
    let isHexadecimal = text.hasPrefix("0x")
    guard let address = UInt8(text.dropFirst(isHexadecimal ? 2 : 0), radix: isHexadecimal ? 16 : 10),
      (0x08...0x77).contains(address)
    else {
      throw Failure(.usage, "--address is a number from 0x08 to 0x77")
    }
    return address
  }

  // MARK: Probing

  private static func probe(_ bus: String, _ address: UInt8?, _ kind: ChipKind?) throws(Failure) -> ExitCode {
    try scan(bus, address)
    let source: I2CMotionSource
    do throws(Errno) {
      source = try I2CMotionSource(bus: bus, address: address, kind: kind, clock: SystemClock())
    } catch {
      throw Failure(.usage, "\(bus): \(error.text)")
    }
    return try listen(to: source, bus)
  }

  /// Opens the sensor, and prints its model and its last sample.
  private static func listen(to source: any MotionSource, _ place: String) throws(Failure) -> ExitCode {
    let facts = try told(place) { () throws(MotionError) in try source.open(rate: rate) }
    defer { source.close() }
    show(facts)
    let batch = MotionBatch()
    Syscall.pause(milliseconds: listeningMilliseconds)
    try told(place) { () throws(MotionError) in try source.drain(into: batch) }
    show(batch, facts.hasGyroscope)
    return .ok
  }

  /// Prints which addresses answer.
  private static func scan(_ bus: String, _ address: UInt8?) throws(Failure) {
    let scan: MotionBusScan
    do throws(Errno) {
      scan = try MotionBusScan(bus: bus)
    } catch {
      throw Failure(.usage, "\(bus): \(error.text)")
    }
    try told(bus) { () throws(MotionError) in try scan.open() }
    defer { scan.close() }
    let way = scan.hasCombined ? "combined transactions" : "SMBus"
    Console.show("\(bus): \(way), \(scan.burstBytes) bytes at once")
    try told(bus) { () throws(MotionError) in
      if let address { return Console.out(line(address, try scan.ask(address))) }
      try MotionBusScan.forEachAddress { address throws(MotionError) in
        Console.out(line(address, try scan.ask(address)))
      }
    }
  }

  private static func line(_ address: UInt8, _ answer: MotionBusScan.Answer) -> String {
    switch answer {
    case .chip(let name, let number): "\(hex(address))  \(name) (it calls itself \(hex(number)))"
    case .unknown(let numbers): "\(hex(address))  unknown (\(written { numbers.writeRegisters(to: &$0) }))"
    case .noReply: "\(hex(address))  nobody"
    case .ownedByKernel: "\(hex(address))  a driver of the kernel has it"
    }
  }

  // MARK: Output

  private static func show(_ facts: MotionFacts) {
    let name = IdentityCommand.string(facts.name.span)
    let sensors = facts.hasGyroscope ? "accelerometer and gyroscope" : "accelerometer alone"
    Console.show("\(name): \(sensors), \(decimal(facts.rate, 1)) samples a second, remembers \(facts.memory) ms")
  }

  private static func show(_ batch: MotionBatch, _ hasGyroscope: Bool) {
    Console.show("\(batch.count) samples in \(listeningMilliseconds) ms\(batch.hasGap ? ", and a gap" : "")")
    guard batch.count > 0 else { return }
    let last = batch[batch.count - 1]
    Console.show("acceleration  \(axes(last.acceleration, 1, 3)) g")
    if hasGyroscope { Console.show("rotation      \(axes(last.rotation, 180 / .pi, 1)) degrees/s") }
  }

  private static func axes(_ vector: Vector3, _ scale: Float, _ digits: Int) -> String {
    "x \(decimal(vector.x * scale, digits))  y \(decimal(vector.y * scale, digits))"
      + "  z \(decimal(vector.z * scale, digits))"
  }

  /// With so many digits after the decimal point.
  private static func decimal(_ value: Float, _ digits: Int) -> String {
    var unit = 1
    for _ in 0..<digits { unit *= 10 }
    let number = Int(clamping: (abs(value) * Float(unit)).rounded())
    return "\(value < 0 && number > 0 ? "-" : "")\(number / unit).\(String("\(unit + number % unit)".dropFirst()))"
  }

  private static func hex(_ number: UInt8) -> String { (number < 16 ? "0x0" : "0x") + String(number, radix: 16) }

  // MARK: Errors

  private static func told<Value>(
    _ place: String, _ body: () throws(MotionError) -> Value
  ) throws(Failure) -> Value {
    do throws(MotionError) {
      return try body()
    } catch {
      throw Failure(.unavailable, "\(place): \(text(error))")
    }
  }

  private static func text(_ error: MotionError) -> String {
    written { writer in
      writer.text(error.wire.text)
      error.writeDetail(to: &writer)
    }
  }

  private static func written(_ body: (inout ByteWriter) -> Void) -> String {
    var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      body(&writer)
      return min(writer.count, buffer.count)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
