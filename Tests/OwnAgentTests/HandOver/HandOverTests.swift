import Codec
import Runtime
import Testing

@testable import OwnAgent

private let noon: Int64 = 1_793_534_400_000

private func turn(_ question: String, _ answer: String = "yes", _ end: TurnEnd = .answered, deeds: String = "")
  -> AwayTurn
{
  AwayTurn(
    time: noon, end: end, question: question.utf8.span, answer: answer.utf8.span, deeds: deeds.utf8.span)
}

private func summary(_ handOver: borrowing HandOver) -> String {
  let room = FixedBuffer(capacity: 64 * 1024)
  var writer = ByteWriter(into: room.bytes)
  handOver.writeSummary(to: &writer)
  return String(decoding: room.bytes[..<writer.count], as: UTF8.self)
}

private func record(_ handOver: borrowing HandOver) -> [UInt8] {
  let room = FixedBuffer(capacity: Budget.handOverRecordBytes)
  var writer = JSONWriter(into: room.bytes)
  handOver.writeRecord(to: &writer)
  return writer.isComplete ? Array(room.bytes[..<writer.count]) : []
}

@Suite struct HandOverTests {
  @Test func theSummaryTellsWhatWasSaidAndDone() {
    var handOver = HandOver()
    handOver.add(turn("how warm is it?", "21 degrees", deeds: "sensor_read"))
    handOver.add(turn("and tomorrow?", "no model answers", .failed))
    handOver.add(turn("stop", "I", .cancelled))
    let isSealed = handOver.seal()
    #expect(isSealed)
    #expect(
      summary(handOver) == """
        ## Answered by the board while this gateway was away

        - **2026-11-01T12:00Z** Person: how warm is it?
          Board: 21 degrees
          Used: sensor\\_read

        - **2026-11-01T12:00Z** Person: and tomorrow?
          Not answered: no model answers

        - **2026-11-01T12:00Z** Person: stop
          Cancelled by the person. Board: I

        """)
  }

  @Test func aTimeThatTheBoardDidNotKnowIsLeftOut() {
    var handOver = HandOver()
    handOver.add(AwayTurn(time: 5, end: .answered, question: "q".utf8.span, answer: "".utf8.span, deeds: "".utf8.span))
    _ = handOver.seal()
    #expect(summary(handOver).hasSuffix("\n- Person: q\n  Board: (nothing)\n"))
  }

  @Test func whatAPersonSaidStaysOneLineOfPlainText() {
    var handOver = HandOver()
    handOver.add(turn("# order\n- [x](https://e.example) `rm` <b>", "a\u{7}b"))
    _ = handOver.seal()
    let text = summary(handOver)
    #expect(text.contains(##"Person: \# order - \[x\](https://e.example) \`rm\` \<b\>"##))
    #expect(text.contains("Board: a b\n"))
  }

  @Test func nothingIsSealedWhereNothingHappenedOrOneWaits() {
    var handOver = HandOver()
    let empty = handOver.seal()
    handOver.add(turn("a"))
    let first = handOver.seal()
    handOver.add(turn("b"))
    let second = handOver.seal()
    #expect(!empty && first && !second)
    #expect(!summary(handOver).contains("Person: b"))
  }

  @Test func aSummaryIsTakenOnceAndByItsNumber() {
    var handOver = HandOver()
    handOver.add(turn("a"))
    let early = handOver.taken(1)
    _ = handOver.seal()
    handOver.add(turn("b"))
    let (wrong, right, again) = (handOver.taken(2), handOver.taken(1), handOver.taken(1))
    #expect(!early && !wrong && right && !again)
    let (isSealed, number) = (handOver.seal(), handOver.serial)
    #expect(isSealed && number == 2)
    #expect(summary(handOver).contains("Person: b") && !summary(handOver).contains("Person: a"))
  }

  @Test func turnsBeyondTheRoomAreCounted() {
    var handOver = HandOver()
    for index in 0..<(Budget.handOverTurns + 3) { handOver.add(turn("question \(index)")) }
    _ = handOver.seal()
    let text = summary(handOver)
    #expect(handOver.count == Budget.handOverTurns)
    #expect(text.contains("\n3 turns before these are not listed.\n"))
    #expect(!text.contains("question 2\n") && text.contains("question 3\n") && text.contains("question 26\n"))
  }

  @Test func aSealedSummaryIsNotChangedByWhatHappensAfterIt() {
    var handOver = HandOver()
    for index in 0..<Budget.handOverTurns { handOver.add(turn("question \(index)")) }
    _ = handOver.seal()
    let before = summary(handOver)
    for _ in 0..<5 { handOver.add(turn("later")) }
    #expect(summary(handOver) == before)
    let isTaken = handOver.taken(1)
    let isSealed = handOver.seal()
    #expect(isTaken && isSealed)
    #expect(summary(handOver).contains("\n5 turns before these are not listed.\n"))
  }

  @Test func aSummaryFitsAnEventWhateverWasSaid() {
    let texts = [
      String(repeating: "\"\\", count: 100), String(repeating: "*", count: 200),
      "é" + String(repeating: "日", count: 66),
    ]
    for text in texts {
      var handOver = HandOver()
      for _ in 0..<Budget.handOverTurns { handOver.add(turn(text, text, deeds: text)) }
      _ = handOver.seal()
      var writer = JSONWriter()
      writer.string(summary(handOver))
      #expect(writer.count <= Budget.handOverBytes)
      #expect(writer.count > Budget.handOverBytes / 2)
    }
  }

  @Test func theRecordOfTheMostFitsAndComesBack() {
    var handOver = HandOver()
    let text = String(repeating: "\"\\", count: 100)
    for _ in 0..<(Budget.handOverTurns + 1) { handOver.add(turn(text, text, deeds: text)) }
    _ = handOver.seal()
    handOver.add(turn("later"))
    let bytes = record(handOver)
    #expect(!bytes.isEmpty)
    var other = HandOver()
    let isRead = other.readRecord(bytes.span)
    #expect(isRead)
    #expect(record(other) == bytes)
    #expect(summary(other) == summary(handOver))
  }

  @Test func cutsAndChangesOfARecordNeverTrap() {
    var handOver = HandOver()
    handOver.add(turn("a", deeds: "photo"))
    _ = handOver.seal()
    let bytes = record(handOver)
    for end in 0..<bytes.count {
      var other = HandOver()
      let cut = Array(bytes[..<end])
      let isRead = other.readRecord(cut.span)
      #expect(!isRead)
    }
    for place in bytes.indices {
      for byte: UInt8 in [0x30, 0x39, 0x22, 0x2D, 0x7B] {
        var changed = bytes
        changed[place] = byte
        var other = HandOver()
        _ = other.readRecord(changed.span)
        _ = other.seal()
        _ = summary(other)
        _ = other.taken(other.serial)
      }
    }
  }

  @Test func forgettingGivesNoNumberTwice() {
    var handOver = HandOver()
    handOver.add(turn("a"))
    _ = handOver.seal()
    handOver.forget()
    handOver.add(turn("b"))
    _ = handOver.seal()
    let (number, stale) = (handOver.serial, handOver.taken(1))
    #expect(number == 2 && !stale)
  }
}
