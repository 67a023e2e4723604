import Glibc
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("Rows that painters work in") struct ScratchRowTests {
  @Test("a run is as long as it was asked for, up to the end of the row")
  func within() {
    let row = ScratchRow<UInt8>(16)
    #expect(row.run(0, 16).count == 16 && row.run(10, 6).count == 6 && row.run(16, 0).isEmpty)
    #expect(UnsafeBufferPointer(row.values).run(15, 1).count == 1)
  }

  /// Traps leave no backtrace here, which takes a minute.
  private static func expectTrap() {
    signal(SIGILL, SIG_DFL)
    signal(SIGTRAP, SIG_DFL)
  }

  @Test("one that reaches beyond its row ends the program before anything is written")
  func beyond() async {
    await #expect(processExitsWith: .failure) {
      Self.expectTrap()
      _ = ScratchRow<UInt8>(16).run(10, 7)
    }
    await #expect(processExitsWith: .failure) {
      Self.expectTrap()
      _ = ScratchRow<UInt8>(16).run(-1, 1)
    }
    await #expect(processExitsWith: .failure) {
      Self.expectTrap()
      let row = ScratchRow<UInt8>(16)
      _ = UnsafeBufferPointer(row.values).run(1, .max)
    }
  }
}
