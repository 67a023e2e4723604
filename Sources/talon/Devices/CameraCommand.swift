import Board
import Camera
import CameraPart
import Codec
import Runtime

/// `talon camera`: lists cameras and their modes and controls, and takes photos. Needs no running agent.
enum CameraCommand {
  /// Timeout in milliseconds: longer than a camera takes to start and settle.
  private static let timeout: Int64 = 30_000

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let cameras = CameraWiring(configuration: try configuration(options), clock: SystemClock())
    let cameraSettings = cameras.configuration.cameraSettings
    let name = options.words.count > 1 ? CameraText(cutting: options.words[1]) : nil
    let device = name.map { cameraSettings.device(named: $0) ?? $0 }
    switch options.words[0] {
    case "list": return try list(cameras.kernel(), cameraSettings)
    case "modes": return try modes(cameras.kernel(), order(device, options))
    case "controls": return try controls(cameras.kernel(), device, options.all("--set"))
    case "snap": return try snap(cameras, device, options)
    default: throw Failure(.usage, "expected: talon camera list, modes, controls or snap")
    }
  }

  /// A board without a configuration may use its cameras, too.
  private static func configuration(_ options: Options) throws(Failure) -> Configuration {
    let path = options.configurationPath
    let isThere = (try? Syscall.open(try Path(path), .read))?.close() != nil
    return path == ConfigurationFile.defaultPath && !isThere
      ? Configuration() : try ConfigCommand.read(path, as: .caller)
  }

  // MARK: What there is

  private static func list(_ camera: V4L2Camera, _ cameraSettings: CameraSettingsTable) throws(Failure) -> ExitCode {
    var list = CameraList()
    try told { () throws(CameraError) in try camera.enumerate(into: &list) }
    for index in 0..<list.count { show(list[index], cameraSettings.settings(for: list[index])) }
    if list.count > 0 { return .ok }
    Console.err("talon: no camera was found")
    return .unavailable
  }

  private static func show(_ entry: CameraEntry, _ settings: CameraSettings = CameraSettings()) {
    Console.show("\(text(entry.id))  \(text(entry.name))")
    if !settings.name.isEmpty { Console.show("  configured as  \(text(settings.name))") }
    if !entry.bus.isEmpty { Console.show("  plugged in at  \(text(entry.bus))") }
  }

  private static func modes(_ camera: V4L2Camera, _ order: StreamOrder) throws(Failure) -> ExitCode {
    var lines: [String] = []
    let (entry, chosen) = try told { () throws(CameraError) in
      try camera.modes(for: order) { offer, use in lines.append(line(offer, use)) }
    }
    show(entry)
    for line in lines { Console.show(line) }
    let purpose = order.purpose == .clip ? "a clip" : "a photo"
    guard let chosen else {
      Console.err("talon: none of these can be used for \(purpose)")
      return .unavailable
    }
    let rate = chosen.rate > 0 ? ", \(rate(chosen.rate)) frames a second" : ""
    Console.show("for \(purpose) \(order.width) wide: \(text(chosen.code)) \(chosen.width)x\(chosen.height)\(rate)")
    return .ok
  }

  private static func line(_ offer: CameraOffer, _ use: V4L2Camera.OfferUse) -> String {
    let (width, height) = (offer.width, offer.height)
    var line = "\(use == .chosen ? "*" : " ") \(text(offer.code))  \(width.least)x\(height.least)"
    if !offer.isOneSize { line += "...\(width.most)x\(height.most) in steps of \(width.step)x\(height.step)" }
    if offer.rateCount > 0 { line += "  " }
    for index in 0..<offer.rateCount {
      if index > 0 { line += offer.isRateRange ? "..." : ", " }
      line += rate(offer.rates[index])
    }
    if use == .none { return line + "  (not used)" }
    return offer.format == nil ? line + "  (converted)" : line
  }

  /// Frames per second, from frames per thousand seconds: "29.97".
  private static func rate(_ thousandths: Int) -> String {
    let rest = thousandths % 1000
    if rest == 0 { return "\(thousandths / 1000)" }
    var digits = "\(1000 + rest)".dropFirst()
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    return "\(thousandths / 1000).\(digits)"
  }

  // MARK: Controls

  private static func controls(
    _ camera: V4L2Camera, _ device: CameraText?, _ settings: [String]
  ) throws(Failure) -> ExitCode {
    guard settings.isEmpty else { return try set(settings, camera, device) }
    var lines: [String] = []
    try told { () throws(CameraError) in
      try camera.controls(of: device) { control in lines.append(line(control)) }
    }
    for line in lines { Console.show(line) }
    return .ok
  }

  private static func line(_ control: ControlState) -> String {
    let name = text(control.name)
    if control.isButton { return "\(name)  button" }
    var line = "\(name)  \(control.value.map { "\($0)" } ?? "-")"
    if let item = control.item { line += " (\(text(item)))" }
    if control.isReadOnly { return line + "  read only" }
    line += "  from \(control.range.minimum) to \(control.range.maximum)"
    if control.range.step > 1 { line += " in steps of \(control.range.step)" }
    line += ", usually \(control.home)"
    return control.isLocked ? line + ", locked by its driver" : line
  }

  private static func set(
    _ settings: [String], _ camera: V4L2Camera, _ device: CameraText?
  ) throws(Failure) -> ExitCode {
    var controls = CameraControls()
    for setting in settings {
      let control = try namedControl(setting)
      if !controls.add(control) { throw Failure(.usage, "--set may stand \(Budget.namedControls) times") }
    }
    let mismatches = try told { () throws(CameraError) in try camera.set(controls, of: device) }
    for index in 0..<mismatches.count { Console.err("talon: the camera: \(text(mismatches[index]))") }
    return mismatches.count == 0 ? .ok : .unavailable
  }

  private static func namedControl(_ setting: String) throws(Failure) -> NamedControl {
    let parts = setting.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let value = Int32(parts[1]) else {
      throw Failure(.usage, "--set needs NAME=NUMBER")
    }
    return NamedControl(name: CameraText(cutting: String(parts[0])), value: Int(value))
  }

  private static func text(_ complaint: ControlMismatch) -> String {
    text { (writer: inout ByteWriter) in complaint.write(to: &writer) }
  }

  // MARK: A photo

  private static func snap(
    _ cameras: CameraWiring, _ device: CameraText?, _ options: Options
  ) throws(Failure) -> ExitCode {
    guard let file = options.value("--out") else { throw Failure(.usage, "talon camera snap needs --out FILE") }
    guard cameras.configuration.camera.isEnabled else { throw Failure(.unavailable, text(.disabled)) }
    let camera = cameras.kernel()
    camera.only = (try code(options), try size(options))
    let job = try job(cameras, camera)
    job.prepare(try parameters(device, options), deadline: cameras.clock.monotonic + timeout)
    job.run()
    defer { job.release() }
    guard case .photo(let photo) = job.outcome else {
      if case .failed(let error) = job.outcome { throw Failure(.unavailable, text(error)) }
      return .unavailable
    }
    try PersonFile.replace(file) { (output) throws(Errno) in
      try Syscall.writeAll(output, UnsafeRawBufferPointer(photo.bytes))
    }
    if let warning = job.exposure?.warning { Console.err("talon: \(String(warning))") }
    let damaged = camera.damagedFrames + job.faults.total
    let passed = damaged > 0 ? ", \(damaged) damaged frames passed over" : ""
    PersonFile.tell(file, "\(photo.width)x\(photo.height), \(photo.bytes.count) bytes\(passed)")
    return .ok
  }

  private static func job(_ cameras: CameraWiring, _ camera: V4L2Camera) throws(Failure) -> CaptureJob {
    do throws(Errno) {
      return try CaptureJob(stream: try cameras.stream(of: camera), codec: try TurboJPEG(), clock: cameras.clock)
    } catch {
      throw Failure(.system, "no memory for a photo: \(String(error.text))")
    }
  }

  private static func parameters(_ device: CameraText?, _ options: Options) throws(Failure) -> SnapParameters {
    let delay = try number(options, "--delay", 0...10_000) ?? 2000
    let width = try number(options, "--width", 2...65_535) ?? 1600
    var parameters = SnapParameters(defaultDelay: Int64(delay))
    parameters.maxWidth = width
    parameters.choice = CameraChoice(device: device)
    return parameters
  }

  // MARK: Words

  private static func order(_ device: CameraText?, _ options: Options) throws(Failure) -> StreamOrder {
    let rate = try number(options, "--rate", 1...1000) ?? 0
    return StreamOrder(
      device: device, purpose: options.has("--clip") ? .clip : .photo,
      width: try number(options, "--width", 2...65_535) ?? 1600, rate: rate * 1000)
  }

  private static func number(
    _ options: Options, _ name: String, _ range: ClosedRange<Int>
  ) throws(Failure) -> Int? {
    guard let word = options.value(name) else { return nil }
    guard let number = Int(word), range.contains(number) else {
      throw Failure(.usage, "\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func code(_ options: Options) throws(Failure) -> FourCC? {
    guard let word = options.value("--format") else { return nil }
    guard (1...4).contains(word.utf8.count) else { throw Failure(.usage, "--format needs four characters, as YUYV") }
    return FourCC(word.utf8.span)
  }

  private static func size(_ options: Options) throws(Failure) -> FrameSize? {
    guard let word = options.value("--size") else { return nil }
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0 else {
      throw Failure(.usage, "--size needs WIDTHxHEIGHT")
    }
    return FrameSize(width: width, height: height)
  }

  private static func text(_ text: CameraText) -> String { IdentityCommand.string(text.span) }

  private static func text(_ code: FourCC) -> String {
    String(decoding: [code.character(0), code.character(1), code.character(2), code.character(3)], as: UTF8.self)
  }

  /// What is wrong with a camera, and what to do.
  static func text(_ error: CameraError) -> String {
    text { (writer: inout ByteWriter) in error.writeMessage(to: &writer) }
  }

  private static func text(_ write: (inout ByteWriter) -> Void) -> String {
    var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      write(&writer)
      return min(writer.count, buffer.count)
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Runs `body`, and turns a camera's error into a sentence.
  private static func told<Value>(_ body: () throws(CameraError) -> Value) throws(Failure) -> Value {
    do throws(CameraError) {
      return try body()
    } catch {
      throw Failure(.unavailable, text(error))
    }
  }
}
