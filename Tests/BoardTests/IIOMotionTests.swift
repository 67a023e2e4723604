import CLinux
import Motion
import Runtime
import Testing

@testable import Board

@Suite("A number in an IIO record")
struct IIOFormatTests {
  private func value(_ format: String, _ bytes: [UInt8]) -> Int64? {
    IIOFormat(format.utf8.span).map { format in bytes.withUnsafeBufferPointer { format.number(at: $0.baseAddress!) } }
  }

  @Test(
    "is read as its type says",
    arguments: [
      ("le:s16/16>>0", [0x34, 0x12], Int64(0x1234)), ("be:s16/16>>0", [0xFF, 0xFE], -2),
      ("le:s16/16", [0x00, 0x80], -32768), ("le:s16/32>>0", [0xFE, 0xFF, 0, 0], -2),
      ("le:s12/16>>4", [0xF0, 0x7F], 2047), ("le:s12/16>>4", [0x0F, 0x80], -2048),
      ("be:u12/16>>4", [0xFF, 0xFF], 4095),
      ("le:s8/8>>0", [0x80], -128), ("le:u8/8>>0", [0x80], 128), ("le:s32/32>>0", [0xFF, 0xFF, 0xFF, 0xFF], -1),
      ("be:s24/32>>8", [0x80, 0, 0, 0x55], -8_388_608), ("le:s64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0x80], .min + 1),
      ("le:s16/16X1>>0", [1, 0], 1),
    ] as [(String, [UInt8], Int64)])
  func number(format: String, bytes: [UInt8], expected: Int64) {
    #expect(value(format, bytes) == expected)
  }

  @Test(
    "has no type that makes no sense",
    arguments: [
      "", "le", "le:", "xe:s16/16>>0", "le:f32/32>>0", "le:s16", "le:s16/", "le:s16/17>>0", "le:s17/16>>0",
      "le:s16/16>>1",
      "le:s0/16>>0", "le:s16/16>>", "le:s16/16>0", "le:s16/16>>0 ", "le:s16/16X4>>0", "le:s9999/16>>0", "be:s16/16>>0x",
    ])
  func nonsense(format: String) {
    #expect(IIOFormat(format.utf8.span) == nil)
  }
}

@Suite("A motion sensor of the kernel's IIO")
struct IIOMotionTests {
  private let tree = IIOTree()
  private let clock = SerialTestClock()
  private let batch = MotionBatch()

  private func source(_ device: String? = nil, mounting: MountingMatrix = MountingMatrix()) -> IIOMotionSource {
    IIOMotionSource(device: device, mounting: mounting, clock: clock, root: tree.root)
  }

  private func little(_ values: [Int16]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// 8192 numbers a g, 32.8 a degree and second.
  private func addBoth(trigger: String?? = .some("bmi160-dev0")) {
    tree.add(
      0, "bmi160", quantities: ["accel", "anglvel"], format: "le:s16/16>>0", scale: "0.001", trigger: trigger)
    tree.put(0, "in_accel_scale", "0.001197101")
    tree.put(0, "in_anglvel_scale", "0.000532113")
  }

  private func near(_ vector: Vector3, _ x: Float, _ y: Float, _ z: Float) -> Bool {
    abs(vector.x - x) < 0.001 && abs(vector.y - y) < 0.001 && abs(vector.z - z) < 0.001
  }

  @Test("is set up: its six numbers alone, the nearest rate, a buffer; and its records are samples")
  func both() throws {
    addBoth()
    let source = source()
    let facts = try source.open(rate: 60)
    #expect(facts.name == InlineText(cutting: "bmi160" as StaticString))
    #expect(facts.rate == 50)
    #expect(facts.hasGyroscope)
    #expect(facts.memory == Int64(Budget.iioBufferSamples) * 20)
    #expect(tree.text(0, "scan_elements/in_accel_z_en") == "1")
    #expect(tree.text(0, "scan_elements/in_anglvel_x_en") == "1")
    #expect(tree.text(0, "scan_elements/in_timestamp_en") == "0")
    #expect(tree.text(0, "sampling_frequency") == "50")
    #expect(tree.text(0, "buffer/length") == "\(Budget.iioBufferSamples)")
    #expect(tree.text(0, "buffer/enable") == "1")
    #expect(tree.text(0, "trigger/current_trigger") == "bmi160-dev0")

    tree.capture(0, little([8192, 0, -4096, 1879, 0, -1879]) + little([0, 8192, 0, 0, 0, 0]))
    try source.drain(into: batch)
    #expect(batch.count == 2)
    #expect(!batch.hasGap)
    #expect(batch.end == clock.monotonic * 1000)
    #expect(near(batch[0].acceleration, 1, 0, -0.5))
    #expect(near(batch[0].rotation, 1, 0, -1))
    #expect(near(batch[1].acceleration, 0, 1, 0))
    // Nothing new is no error; half a record waits.
    batch.clear()
    try source.drain(into: batch)
    #expect(batch.count == 0)
    source.close()
    #expect(tree.text(0, "buffer/enable") == "0")
  }

  @Test("elements stand by their index, at multiples of their size, with their shift and offset")
  func layout() throws {
    tree.add(3, "odd", quantities: ["accel"], format: "be:s12/16>>4", scale: "9.80665", trigger: nil)
    for (axis, index) in [("x", 7), ("y", 1), ("z", 4)] {
      tree.put(3, "scan_elements/in_accel_\(axis)_index", "\(index)")
    }
    tree.put(3, "scan_elements/in_accel_z_type", "le:s32/32>>0")
    tree.put(3, "in_accel_offset", "10")
    let source = source()
    let facts = try source.open(rate: 50)
    #expect(!facts.hasGyroscope)
    // y in 2 bytes, 2 of nothing, z in 4, x in 2, 2 of nothing.
    tree.capture(3, [0xFF, 0xF0, 0xAA, 0xAA, 0xF6, 0xFF, 0xFF, 0xFF, 0x00, 0x20, 0xAA, 0xAA])
    try source.drain(into: batch)
    #expect(batch.count == 1)
    #expect(near(batch[0].acceleration, 12, 9, 0))
    #expect(batch[0].rotation == Vector3())
  }

  @Test("takes the scale whose range is nearest to 8 g")
  func range() throws {
    tree.add(
      0, "lis", quantities: ["accel"], format: "le:s16/16>>0", scale: "0.000598",
      scales: "0.000598 0.001197 0.002394 0.004788", rates: nil, trigger: nil)
    let facts = try source().open(rate: 104)
    #expect(tree.text(0, "in_accel_scale") == "0.002394")
    // Without a list the rate is what is asked for.
    #expect(facts.rate == 104)
  }

  @Test("whose gyroscope is another device has its samples spread over those of acceleration")
  func siblings() throws {
    tree.add(1, "lsm6ds3_gyro", quantities: ["anglvel"], format: "le:s16/16>>0", scale: "0.001", trigger: nil)
    tree.add(2, "lsm6ds3_accel", quantities: ["accel"], format: "le:s16/16>>0", scale: "0.00980665", trigger: nil)
    let source = source(mounting: try MountingMatrix(text: "-y x z".utf8.span))
    let facts = try source.open(rate: 50)
    #expect(facts.name == InlineText(cutting: "lsm6ds3_accel" as StaticString))
    #expect(facts.hasGyroscope)
    for _ in 0..<4 { tree.capture(2, little([100, 200, 1000])) }
    tree.capture(1, little([1000, 0, 0]) + little([0, 1000, 0]))
    try source.drain(into: batch)
    #expect(batch.count == 4)
    #expect(near(batch[3].acceleration, -0.2, 0.1, 1))
    #expect(near(batch[0].rotation, 0, 1, 0))
    #expect(near(batch[1].rotation, 0, 1, 0))
    #expect(near(batch[2].rotation, -1, 0, 0))
    // The gyroscope's last stays while it is silent.
    batch.clear()
    tree.capture(2, little([0, 0, 0]))
    try source.drain(into: batch)
    #expect(near(batch[0].rotation, -1, 0, 0))
  }

  @Test("gets its own trigger, else a timer at the wanted rate, never another device's")
  func triggers() throws {
    addBoth(trigger: .some(nil))
    #expect(failureOf { _ = try source().open(rate: 50) } == "noCapture")
    tree.addTrigger(0, "lis3dh-dev4")
    #expect(failureOf { _ = try source().open(rate: 50) } == "noCapture")
    tree.addTrigger(1, "every-20-ms")
    _ = try source().open(rate: 50)
    #expect(tree.text(0, "trigger/current_trigger") == "every-20-ms")
    #expect(tree.text("/sys/bus/iio/devices/trigger1/sampling_frequency") == "50")
    tree.addTrigger(2, "bmi160-dev0")
    tree.put(0, "trigger/current_trigger", "")
    _ = try source().open(rate: 50)
    #expect(tree.text(0, "trigger/current_trigger") == "bmi160-dev0")
  }

  @Test("is found by its name; there is none, or one that captures nothing, is told apart")
  func finding() throws {
    #expect(failureOf { _ = try source().open(rate: 50) } == "absent")
    tree.addRaw(0, "adxl345")
    #expect(failureOf { _ = try source().open(rate: 50) } == "noCapture")
    tree.add(5, "lsm9ds1_accel", quantities: ["accel"], format: "le:s16/16>>0", scale: "0.01", trigger: nil)
    for name in [nil, "lsm9ds1_accel"] {
      #expect(try source(name).open(rate: 50).name == InlineText(cutting: "lsm9ds1_accel" as StaticString))
    }
    #expect(failureOf { _ = try source("adxl345").open(rate: 50) } == "noCapture")
    #expect(failureOf { _ = try source("bmi160").open(rate: 50) } == "absent")
    tree.put(5, "scan_elements/in_accel_y_type", "le:f32/32>>0")
    #expect(failureOf { _ = try source("lsm9ds1_accel").open(rate: 50) } == "noCapture")
    tree.remove("/dev/iio:device5")
    tree.put(5, "scan_elements/in_accel_y_type", "le:s16/16>>0")
    #expect(failureOf { _ = try source("lsm9ds1_accel").open(rate: 50) } == "absent")
    tree.remove("/sys/bus/iio")
    #expect(failureOf { _ = try source().open(rate: 50) } == "absent")
  }

  @Test("a full buffer makes a gap, and is read as far as the budget goes")
  func full() throws {
    addBoth()
    let source = source()
    _ = try source.open(rate: 50)
    #expect(Budget.iioReadBytes / 24 == Budget.iioBufferSamples)
    tree.capture(0, little([Int16](repeating: 1, count: 6 * (Budget.iioBufferSamples - 1))))
    try source.drain(into: batch)
    #expect(batch.count == Budget.iioBufferSamples - 1)
    #expect(!batch.hasGap)
    batch.clear()
    tree.capture(0, little([Int16](repeating: 1, count: 6 * (Budget.iioBufferSamples + 7))))
    try source.drain(into: batch)
    #expect(batch.count == Budget.iioBufferSamples)
    #expect(batch.hasGap)
    batch.clear()
    try source.drain(into: batch)
    #expect(batch.count == 7)
  }

  @Test("that may not be set up, or is gone, is reported")
  func refused() throws {
    addBoth()
    let fault = ThreadFault()
    fault.refuse(TL_CALL_open, with: 13)
    #expect(failureOf { _ = try self.source().open(rate: 50) } == "noPermission")
    fault.refuse(TL_CALL_write, with: 30)
    #expect(failureOf { _ = try self.source().open(rate: 50) } == "noPermission")
    fault.refuse(TL_CALL_write, with: 16)
    #expect(failureOf { _ = try self.source().open(rate: 50) } == "io(Runtime.Errno(number: 16))")
    fault.refuse(nil, with: 0)
    let source = source()
    _ = try source.open(rate: 50)
    fault.refuse(TL_CALL_read, with: 11)
    try source.drain(into: batch)
    fault.refuse(TL_CALL_read, with: 19)
    #expect(failureOf { try source.drain(into: batch) } == "vanished")
    fault.refuse(nil, with: 0)
    #expect(tree.text(0, "buffer/enable") == "0")
  }

  @Test("that is silent for too long is lost; closed, it is no longer there")
  func silent() throws {
    addBoth()
    let source = source()
    _ = try source.open(rate: 50)
    clock.monotonic += Budget.motionSilenceMilliseconds - 1
    try source.drain(into: batch)
    clock.monotonic += 1
    #expect(failureOf { try source.drain(into: batch) } == "vanished")
    #expect(failureOf { try source.drain(into: batch) } == "vanished")
    #expect(tree.text(0, "buffer/enable") == "0")
    _ = try source.open(rate: 50)
    tree.capture(0, little([0, 0, 8192, 0, 0, 0]))
    try source.drain(into: batch)
    #expect(batch.count == 1)
  }
}

/// Refuses every call of one kind that this thread makes, until it is deallocated.
private final class ThreadFault {
  private var call: Int32?
  private var reason: Int32 = 0

  init() {
    tl_interpose_thread(
      { context, call, _ in
        let fault = Unmanaged<ThreadFault>.fromOpaque(context!).takeUnretainedValue()
        return call == fault.call ? fault.reason : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { tl_interpose_thread(nil, nil) }

  func refuse(_ call: tl_call?, with reason: Int32) {
    (self.call, self.reason) = (call.map { Int32($0.rawValue) }, reason)
  }
}
