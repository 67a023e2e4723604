import Runtime
import Testing

@testable import Device

@Suite("What the board's readings mean")
struct BoardDiagnosisTests {
  /// A board in the best of health.
  private var board: DeviceSnapshot {
    var board = DeviceSnapshot()
    board.throttling = ThrottlingReading(bits: 0)
    board.temperature = 48.3
    board.clock.wall = Budget.earliestWall
    board.clock.isSynchronized = true
    board.clock.hasHardwareClock = true
    board.storage = StorageReading(totalBytes: 8 << 30, freeBytes: 4 << 30)
    board.wear.lifeUsed = 20
    board.memory = MemoryReading(totalBytes: 512 << 20, availableBytes: 300 << 20)
    var link = LinkReading()
    link.name = DeviceName(cutting: "eth0" as StaticString)
    link.hasCarrier = true
    link.addresses = 2
    board.links.append(link)
    board.network.interfaces = .wired
    board.network.defaultInterface = link.name
    board.watchdog = WatchdogReading()
    board.watchdog?.isActive = true
    return board
  }

  private func with(_ change: (inout DeviceSnapshot) -> Void) -> DeviceSnapshot {
    var board = board
    change(&board)
    return board
  }

  @Test("a healthy board has nothing to be done about it")
  func healthy() {
    #expect(board.findings.allSatisfy { $0.grade == .good && $0.remedy.isEmpty })
    #expect(board.linkFinding == Finding("link", .good, "eth0 is linked and has an address"))
    #expect(board.heatFinding.text == "48 degrees")
  }

  @Test("a board that tells nothing is not called ill for it, but for what it cannot do without")
  func silent() {
    let findings = DeviceSnapshot().findings
    let failures = findings.filter { $0.grade == .failure }.map { String(describing: $0.subject) }
    #expect(failures == ["clock", "storage", "route"])
    #expect(findings.filter { $0.grade == .failure }.allSatisfy { !$0.remedy.isEmpty })
    #expect(!findings.contains { $0.grade == .warning })
  }

  @Test("whatever is wrong has a remedy, and what is right has none")
  func remedies() {
    let ill = with { board in
      board.throttling = ThrottlingReading(bits: 0xF000F)
      board.clock.isSynchronized = false
      board.storage = StorageReading(totalBytes: 1 << 30, freeBytes: 1 << 20)
      board.wear.errors = 3
      board.memory = MemoryReading(totalBytes: 512 << 20, availableBytes: 10 << 20)
      board.links[0].addresses = 0
      board.network.interfaces = []
      board.watchdog?.isActive = false
    }
    #expect(ill.findings.allSatisfy { $0.grade >= .warning && !$0.remedy.isEmpty })
  }

  @Test(
    "low voltage now is a failure, earlier a warning",
    arguments: [(0x1, Finding.Grade.failure), (0x10000, .warning), (0x50005, .failure), (0x40000, .good)])
  func voltage(bits: Int, grade: Finding.Grade) {
    #expect(with { $0.throttling = ThrottlingReading(bits: UInt32(bits)) }.powerFinding.grade == grade)
  }

  @Test("a kernel's sensor counts where the firmware does not tell")
  func sensor() {
    #expect(with { ($0.throttling, $0.isUnderVoltage) = (nil, true) }.powerFinding.grade == .failure)
    #expect(with { ($0.throttling, $0.isUnderVoltage) = (nil, false) }.powerFinding.grade == .good)
    #expect(with { $0.throttling = nil }.powerFinding.grade == .unknown)
  }

  @Test(
    "a battery that is nearly empty is told by its level, or by its word, unless it is being charged",
    arguments: [
      (0.1, nil, .unplugged, Finding.Grade.warning), (0.1, nil, .unknown, .warning), (0.1, nil, .charging, .good),
      (0.1, nil, .full, .good), (0.11, .critical, .unplugged, .good), (nil, .critical, .unplugged, .warning),
      (nil, .low, .unknown, .warning), (nil, .low, .charging, .good), (nil, .normal, .unplugged, .good),
      (nil, nil, .unplugged, .good), (nil, nil, .unknown, .good),
    ] as [(Double?, BatteryReading.Rank?, BatteryReading.State, Finding.Grade)])
  func battery(level: Double?, rank: BatteryReading.Rank?, state: BatteryReading.State, grade: Finding.Grade) {
    let board = with { board in
      board.battery.level = level
      board.battery.rank = rank
      board.battery.state = state
    }
    #expect(board.powerFinding.grade == grade)
  }

  @Test(
    "heat has its limits",
    arguments: [(74.9, Finding.Grade.good), (75.0, .warning), (84.9, .warning), (85.0, .failure)])
  func heat(celsius: Double, grade: Finding.Grade) {
    #expect(with { $0.temperature = celsius }.heatFinding.grade == grade)
  }

  @Test("without a hardware clock, or without time synchronization, the diagnosis says what to do")
  func clock() {
    #expect(
      with { $0.clock.hasHardwareClock = false }.clockFinding.text == "it is kept right; without power it stands still")
    #expect(with { $0.clock.isSynchronized = nil }.clockFinding.grade == .unknown)
    #expect(with { $0.clock.wall = Budget.earliestWall - 1 }.clockFinding.grade == .failure)
    let ahead = with { $0.clock.wall = Budget.latestWall }.clockFinding
    #expect(ahead.grade == .failure && ahead.text.contains("far in the future"))
  }

  @Test("a disk that turned read-only is reported before its room")
  func storage() {
    let storage = StorageReading(totalBytes: 1 << 30, freeBytes: 0, isReadOnly: true)
    #expect(with { $0.storage = storage }.storageFinding.text == "nothing can be written where the state is kept")
  }

  @Test("one interface that works is enough, and a faint one is a warning")
  func links() {
    let faint = with { board in
      board.links[0].hasCarrier = false
      var wireless = board.links[0]
      wireless.hasCarrier = true
      wireless.air = AirReading()
      wireless.air?.signal = -80
      board.links.append(wireless)
    }
    #expect(faint.linkFinding.grade == .warning)
    #expect(with { $0.links[0].hasCarrier = false }.linkFinding.grade == .failure)
    #expect(with { $0.links[0].addresses = nil }.linkFinding.grade == .good)
  }

  @Test(
    "a radio that may not send is named with what blocks it, where nothing else links the board",
    arguments: [
      (RadioReading.Block.software, "Wi-Fi is blocked by software", "rfkill unblock wifi"),
      (.hardware, "Wi-Fi is blocked by a switch", "switch"),
      (.both, "Wi-Fi is blocked by a switch and by software", "rfkill unblock wifi"),
    ])
  func blocked(block: RadioReading.Block, text: String, remedy: String) {
    let away = with { ($0.links[0].hasCarrier, $0.radios.wifi) = (false, block) }.linkFinding
    #expect(away.grade == .failure && away.text.hasSuffix(text) && away.remedy.contains(remedy))
    #expect(with { $0.radios.wifi = block }.linkFinding.grade == .good)
    let modem = with { ($0.links[0].hasCarrier, $0.radios.cellular) = (false, block) }.linkFinding
    #expect(modem.text.contains("the modem is blocked by"))
    // Without any interface the radio is the reason still.
    var bare = DeviceSnapshot()
    bare.radios.wifi = block
    #expect(bare.linkFinding.grade == .failure)
  }

  @Test("radios that may send change nothing")
  func unblocked() {
    let away = with { ($0.links[0].hasCarrier, $0.radios.wifi) = (false, RadioReading.Block.free) }.linkFinding
    #expect(away.text == "no interface is linked")
  }
}
