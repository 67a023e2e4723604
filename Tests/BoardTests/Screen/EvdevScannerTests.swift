import Canvas
import Gateway
import Runtime
import Testing

@testable import Board

private final class Notes: CodeScannerDelegate {
  var texts: [String] = []
  var faults: [ScanFault] = []
  var whenScanned: () -> Void = {}

  func scanned(_ text: Span<UInt8>) {
    texts.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    whenScanned()
  }
  func scanFailed(_ fault: ScanFault) {
    faults.append(fault)
    whenScanned()
  }
}

@Suite("A scanner that is a keyboard")
final class EvdevScannerTests {
  private let loop: Loop
  private let notes = Notes()
  private let log = Log(level: .debug, output: nil)

  init() throws {
    loop = try Loop(clock: SystemClock())
    notes.whenScanned = { [loop] in loop.stop() }
  }

  private func scanner(_ fake: FakeInputs, _ path: String = "/dev/input/event0") -> EvdevScanner {
    EvdevScanner(path, layout: .us, loop: loop, clock: SystemClock(), log: log, root: fake.tree.root)
  }

  private func logs(_ words: String) -> Bool {
    var isThere = false
    log.forEachLine { if String(decoding: $0, as: UTF8.self).contains(words) { isThere = true } }
    return isThere
  }

  /// Keys that go down and come up.
  private func keys(_ codes: UInt16...) -> [(UInt16, UInt16, Int32)] {
    codes.flatMap { [(1, $0, 1), (1, $0, 0), (0, 0, 0)] as [(UInt16, UInt16, Int32)] }
  }

  @Test("what it types is a text up to Enter or Tab, and no other program gets it")
  func reads() throws {
    let fake = FakeInputs(1, .keyboard)
    let scanner = scanner(fake)
    scanner.start(notes)
    #expect(fake.grabs == 1)
    // "oc:" with Shift, and Enter.
    fake.send(0, keys(24, 46) + [(1, 42, 1)] + keys(39) + [(1, 42, 0), (0, 0, 0)] + keys(28), at: 1_000)
    try loop.run()
    fake.send(0, keys(30, 15), at: 2_000)
    try loop.run()
    #expect(notes.texts == ["oc:", "a"])
    scanner.stop()
    #expect(fake.grabs == 0)
  }

  @Test("lost events spoil a text, and the next one is whole")
  func lost() throws {
    let fake = FakeInputs(1, .keyboard)
    let scanner = scanner(fake)
    scanner.start(notes)
    fake.send(0, keys(30) + [(0, 3, 0), (1, 48, 1), (0, 0, 0)] + keys(46, 28), at: 1_000)
    try loop.run()
    fake.send(0, keys(48, 28), at: 1_100)
    try loop.run()
    #expect(notes.texts == ["b"] && notes.faults == [.lost])
    scanner.stop()
  }

  @Test("one that is unplugged is let go, and found when it is back")
  func comesBack() throws {
    let fake = FakeInputs(1, .keyboard)
    let scanner = scanner(fake)
    scanner.start(notes)
    fake.send(0, keys(30), at: 1_000)
    fake.unplug(0)
    try loop.run { [loop] in if fake.grabs == 0 { loop.stop() } }
    #expect(logs("the scanner is gone"))
    fake.plug(0)
    scanner.devicesChanged()
    #expect(fake.grabs == 1)
    fake.send(0, keys(48, 28), at: 1_100)
    try loop.run()
    #expect(notes.texts == ["b"])
    scanner.stop()
  }

  @Test("what cannot be a scanner is told, once")
  func refuses() throws {
    let mice = FakeInputs(1)
    let scanner = scanner(mice)
    scanner.start(notes)
    #expect(mice.grabs == 0 && logs("the scanner /dev/input/event0 is no keyboard to the kernel"))
    let before = log.written
    scanner.devicesChanged()
    #expect(log.written == before)
    scanner.stop()
    let absent = self.scanner(mice, "/dev/input/none")
    absent.start(notes)
    #expect(logs("the scanner /dev/input/none cannot be read: it is not there; check its cable"))
    absent.stop()
  }

  @Test("one that another program uses is told, and nothing of it is read")
  func taken() throws {
    let fake = FakeInputs(1, .keyboard)
    fake.areTaken = true
    let scanner = scanner(fake)
    scanner.start(notes)
    #expect(logs("is used by another program"))
    fake.areTaken = false
    scanner.devicesChanged()
    #expect(fake.grabs == 1)
    scanner.stop()
  }
}
