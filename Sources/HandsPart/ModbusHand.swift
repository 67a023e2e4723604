import Codec
import Hands
import Node
import Runtime

/// `kind = serial` with `protocol = modbus`: named registers of a device, which are read, and written where the owner
/// allows it.
final class ModbusHand: LineHand {
  /// What a call wants: all registers, one, or a value in one.
  private enum Wish: Equatable {
    case all
    case one(Int)
    case set(Int, Double)
  }

  /// The requests of one call, on a worker.
  private final class Exchange: Job {
    let client: ModbusClient
    let line: any SerialLine
    let registers: [ModbusRegister]
    /// Asks to leave out the registers that were not read yet.
    let cancellation = Cancellation()
    var wish = Wish.all
    /// For each register; nil where it was not asked for.
    let values: UnsafeMutableBufferPointer<Result<Double, ModbusError>?>
    var writeFailure: ModbusFailure?
    unowned(unsafe) var hand: ModbusHand! = nil

    init(_ settings: SerialSettings, _ line: any SerialLine, _ clock: any Clock) {
      self.line = line
      registers = settings.registers
      client = ModbusClient(
        address: settings.address, baud: settings.baud, timeout: settings.timeout, line: line, clock: clock)
      values = .allocate(capacity: settings.registers.count)
      values.initialize(repeating: nil)
    }

    deinit { values.deallocate() }

    override func run() {
      for index in values.indices { values[index] = nil }
      writeFailure = nil
      switch wish {
      case .all:
        for index in values.indices where !cancellation.isRequested {
          values[index] = client.read(registers[index])
          // Of a device that does not answer at all no other register is waited for.
          if values[index] == .failure(ModbusError(.silence)) { return }
        }
      case .one(let index): values[index] = client.read(registers[index])
      case .set(let index, let value):
        writeFailure = client.write(registers[index], value)
        // What it really is, also when the answer to the write was lost.
        values[index] = client.read(registers[index])
      }
    }

    override func finish() { hand.ended() }
  }

  private let job: Exchange
  private var registers: [ModbusRegister] { settings.serial.registers }
  private var trouble: ModbusFailure?

  init(_ settings: HandSettings, _ line: any SerialLine, _ surroundings: HandSurroundings, index: Int) {
    job = Exchange(settings.serial, line, surroundings.clock)
    super.init(settings, surroundings, index: index, exchange: job, line: line)
    job.hand = self
  }

  // MARK: What it is

  override var isReadOnly: Bool { !registers.contains { $0.writable != nil } }

  override var explanation: String {
    var text = "Reads values of a Modbus device: "
    for index in registers.indices {
      let register = registers[index]
      if index > 0 { text += ", " }
      text += Self.string(register.name.span)
      if !register.unit.isEmpty { text += " in " + Self.string(register.unit.span) }
    }
    text += "."
    return isReadOnly ? text : text + " With set and value it changes one, and returns what it is then."
  }

  private static func string(_ text: Span<UInt8>) -> String {
    text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  override var schema: String {
    SchemaText.object { writer in
      SchemaText.property("register", type: "string", &writer) { writer in
        Self.writeNames(self.registers, to: &writer)
        writer.key("description")
        writer.string("Reads only this one.")
      }
      guard !self.isReadOnly else { return }
      SchemaText.property("set", type: "string", &writer) { writer in
        Self.writeNames(self.registers.filter { $0.writable != nil }, to: &writer)
        writer.key("description")
        writer.string("Changes this one to the value.")
      }
      SchemaText.property("value", type: "number", &writer) { writer in
        writer.key("description")
        writer.string(self.limitsText)
      }
    }
  }

  private static func writeNames(_ registers: [ModbusRegister], to writer: inout JSONWriter) {
    writer.key("enum")
    writer.beginArray()
    for register in registers { writer.string(register.name.span) }
    writer.endArray()
  }

  private var limitsText: String {
    let buffer = FixedBuffer(capacity: 1024)
    var line = ByteWriter(into: buffer.bytes)
    for register in registers {
      guard let range = register.writable else { continue }
      if line.count > 0 { line.text(", ") }
      line.bytes(register.name.span)
      line.text(" from ")
      line.shortest(range.lowerBound)
      line.text(" to ")
      line.shortest(range.upperBound)
    }
    return String(decoding: buffer.bytes[..<min(line.count, buffer.bytes.count)], as: UTF8.self)
  }

  // MARK: Life

  override func stop() {
    super.stop()
    job.cancellation.request()
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard isFree(for: token) else { return }
    do throws(Unclear) {
      job.wish = try wish(parameters)
    } catch {
      return refuse(token, error)
    }
    job.cancellation.reset()
    guard submit(for: token) else { return }
    if case .set = job.wish { noteChange("register written") }
  }

  /// What is wrong with a call.
  private enum Unclear: Error { case name, noSuch, notWritable, value(Int) }

  private func wish(_ parameters: borrowing JSONView) throws(Unclear) -> Wish {
    if parameters.kind != .object { return .all }
    if let name = parameters.member("set"), !name.isNull {
      let index = try index(name)
      guard let range = registers[index].writable else { throw .notWritable }
      guard let value = parameters.member("value")?.double, range.contains(value) else { throw .value(index) }
      return .set(index, value)
    }
    guard let name = parameters.member("register"), !name.isNull else { return .all }
    return .one(try index(name))
  }

  private func index(_ name: borrowing JSONView) throws(Unclear) -> Int {
    guard name.kind == .string else { throw .name }
    for index in registers.indices where name.equals(registers[index].name.span) { return index }
    throw .noSuch
  }

  private func refuse(_ token: InvokeToken, _ reason: Unclear) {
    surroundings.router.fail(token, code: "INVALID_REQUEST") { line in
      line.text("INVALID_REQUEST: ")
      line.text(self.settings.name)
      line.text(": ")
      switch reason {
      case .name: line.text("register and set must be names")
      case .noSuch: line.text("there is no such register")
      case .notWritable: line.text("the owner does not allow to change that")
      case .value(let index):
        line.text("value must be a number from ")
        line.shortest(self.registers[index].writable?.lowerBound ?? 0)
        line.text(" to ")
        line.shortest(self.registers[index].writable?.upperBound ?? 0)
      }
    }
  }

  override func callCancelled() { job.cancellation.request() }

  private func ended() {
    let token = takeToken()
    note(firstFailure)
    guard let token else { return }
    if let failure = job.writeFailure { return answer(token, notWritten: failure) }
    if hasValue { return succeed(token) { self.writeValues(to: &$0) } }
    let failure = firstFailure ?? .silence
    fail(token) { failure.write(to: &$0) }
  }

  private var hasValue: Bool {
    for index in job.values.indices {
      if case .success? = job.values[index] { return true }
    }
    return false
  }

  private var firstFailure: ModbusFailure? {
    for index in job.values.indices {
      if case .failure(let error)? = job.values[index] { return error.failure }
    }
    return job.writeFailure
  }

  private func note(_ failure: ModbusFailure?) {
    if let failure, failure != trouble {
      var sentence = InlineText<256>()
      sentence.fill { bytes in
        var writer = ByteWriter(into: bytes)
        failure.write(to: &writer)
        return min(writer.count, bytes.count)
      }
      surroundings.log.write(.warning, "io") { line in
        line.add(self.settings.name)
        line.add(": ")
        line.add(sentence.span)
      }
    }
    trouble = failure
  }

  private func answer(_ token: InvokeToken, notWritten failure: ModbusFailure) {
    fail(token) { line in
      line.text("not known to be written, for ")
      failure.write(to: &line)
      guard case .set(let index, _) = self.job.wish, case .success(let value)? = self.job.values[index] else { return }
      line.text("; it reads ")
      Self.write(value, self.registers[index], to: &line)
    }
  }

  /// "The pump: flow 12.3 l/min, temperature 45.1 °C."
  private func writeValues(to writer: inout JSONWriter) {
    writer.key("text")
    writer.beginString()
    var isFirst = true
    for index in registers.indices {
      guard let result = job.values[index] else { continue }
      var piece = InlineText<320>()
      piece.fill { bytes in
        var line = ByteWriter(into: bytes)
        line.text(isFirst ? "" : ", ")
        line.bytes(self.registers[index].name.span)
        line.text(" ")
        switch result {
        case .success(let value): Self.write(value, self.registers[index], to: &line)
        case .failure(let error):
          line.text("not read: ")
          error.failure.write(to: &line)
        }
        return min(line.count, bytes.count)
      }
      isFirst = false
      writer.stringPiece(piece.span)
    }
    writer.stringPiece(("." as StaticString).utf8Bytes)
    writer.endString()
    writer.key("values")
    writer.beginObject()
    for index in registers.indices {
      guard case .success(let value)? = job.values[index] else { continue }
      writer.key(registers[index].name.span)
      writer.double(Self.rounded(value))
    }
    writer.endObject()
  }

  private static func write(_ value: Double, _ register: ModbusRegister, to line: inout ByteWriter) {
    line.shortest(rounded(value))
    guard !register.unit.isEmpty else { return }
    line.text(" ")
    line.bytes(register.unit.span)
  }

  /// A scale such as 0.1 makes digits that mean nothing: 12.3 and not 12.300000000000001.
  private static func rounded(_ value: Double) -> Double {
    let scaled = value * 1_000_000
    return scaled.magnitude < 1e15 ? scaled.rounded() / 1_000_000 : value
  }

  // MARK: Reports

  override var troubleText: StaticString? { trouble?.text }
}
