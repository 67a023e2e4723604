import Runtime
import Testing

@testable import Canvas

@Suite("How far presses are")
struct PressMarkTests {
  private func looks(_ marks: PressMarks) -> [String] { (0..<3).map { marks.look($0, 1).map { "\($0)" } ?? "-" } }

  @Test("presses arrive and fail in the order in which they were made, and are done together")
  func order() {
    var marks = PressMarks()
    for id in UInt64(0)..<3 { marks.begin(id, 1, at: 0) }
    marks.change(to: .working, at: 10)
    #expect(!marks.isSending(0, 1) && marks.isSending(1, 1) && !marks.isSending(0, 2))
    marks.change(to: .failed, at: 20)
    marks.change(to: .working, at: 30)
    #expect(looks(marks) == ["waiting", "failed", "waiting"])
    marks.change(to: .updated, at: 40)
    #expect(looks(marks) == ["done", "failed", "done"])
    #expect(marks.advance(to: 1_140, isStill: true) && looks(marks) == ["-", "failed", "-"])
    #expect(marks.advance(to: 4_520, isStill: true) && looks(marks) == ["-", "-", "-"])
    #expect(marks.nextDeadline == nil)
  }

  @Test("one that is refused is the last one")
  func refused() {
    var marks = PressMarks()
    for id in UInt64(0)..<3 { marks.begin(id, 1, at: 0) }
    marks.change(to: .failed, isLast: true, at: 10)
    #expect(looks(marks) == ["waiting", "waiting", "failed"])
  }

  @Test("a spinner turns while one waits, unless nothing shall move")
  func turns() {
    var marks = PressMarks()
    marks.begin(0, 1, at: 0)
    #expect(marks.nextDeadline == Budget.spinnerMilliseconds)
    let hasTurned = marks.advance(to: Budget.spinnerMilliseconds, isStill: false)
    #expect(hasTurned && marks.turn == 1)
    let hasMoved = marks.advance(to: 2 * Budget.spinnerMilliseconds, isStill: true)
    #expect(!hasMoved && marks.turn == 1 && marks.nextDeadline == nil)
    marks.change(to: .failed, at: 1_000)
    #expect(marks.nextDeadline == 5_500)
  }

  @Test("of more than are shown the last are not; a button that is pressed anew is shown once")
  func bound() {
    var marks = PressMarks()
    for id in 0...UInt64(Budget.busyWidgets) { marks.begin(id, 1, at: 0) }
    #expect(
      marks.look(UInt64(Budget.busyWidgets) - 1, 1) == .waiting && marks.look(UInt64(Budget.busyWidgets), 1) == nil)
    marks.begin(0, 1, at: 5)
    marks.change(to: .working, at: 10)
    #expect(marks.isSending(0, 1) && !marks.isSending(1, 1))
  }
}
