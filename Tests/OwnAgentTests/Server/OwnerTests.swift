import Completion
import Runtime
import Testing

@testable import OwnAgent

@Suite struct OwnerTests {
  private func bench(_ facts: [String] = []) throws -> ServerBench {
    let bench = try ServerBench()
    bench.connect()
    for fact in facts {
      bench.say("remember")
      bench.call([("remember", #"{"fact":"\#(fact)"}"#)])
      bench.answer(words: "done")
    }
    _ = bench.take()
    return bench
  }

  @Test func statusTellsWhatTheDayHasUsed() throws {
    let bench = try bench()
    #expect(bench.ask(.status) == "answer 1 ok today: 0 turns, 0 tokens, 0 s of waiting for models, money 0 millionths")
    bench.say("hello")
    bench.answer(words: "hi")
    _ = bench.take()
    #expect(bench.ask(.status, id: 7).hasPrefix("answer 7 ok today: 1 turns, 110 tokens, "))
  }

  @Test func aSpentBudgetAndABrokenMemoryAreTold() throws {
    let bench = try ServerBench(budget: ModelBudget(turns: 1))
    bench.connect()
    bench.say("hello")
    bench.answer(words: "hi")
    _ = bench.take()
    #expect(bench.ask(.status).hasSuffix("\nthe turns of this day are spent"))
  }

  @Test func searchShowsNumbersAndForgettingTakesThem() throws {
    let bench = try bench(["the gate key is under the pot", "the dog is called Rex"])
    let found = bench.ask(.search, "gate")
    #expect(found.contains("fact") && found.contains("under the pot") && !found.contains("Rex"))
    #expect(bench.ask(.search, "zebra") == "answer 1 ok nothing is remembered of that")
    #expect(bench.ask(.forgetWords, "gate key") == "answer 1 ok 1 entry is forgotten")
    #expect(bench.ask(.forgetWords, "").hasPrefix("answer 1 no say what to forget"))
    let rex = try #require(bench.table.rows.first { String(decoding: $0.text, as: UTF8.self).contains("Rex") })
    #expect(bench.ask(.forgetEntry, number: UInt64(rex.entry.id)) == "answer 1 ok 1 entry is forgotten")
    #expect(bench.ask(.forgetEntry, number: .max) == "answer 1 ok 0 entries are forgotten")
    #expect(bench.ask(.forgetAll).hasSuffix("entries are forgotten"))
    #expect(bench.table.rows.isEmpty)
  }

  @Test func whatIsForgottenIsNotWithTheModelEither() throws {
    let bench = try bench()
    bench.say("my code word is sesame")
    bench.answer(words: "noted")
    bench.say("and now?", number: 2)
    #expect(bench.question.contains("sesame"))
    bench.answer(words: "well")
    _ = bench.take()
    #expect(bench.ask(.forgetAll).contains(" ok "))
    bench.say("what is it?", number: 3)
    #expect(!bench.question.contains("sesame"))
  }

  @Test func anExportIsFetchedInPiecesOfWholeCharacters() throws {
    let bench = try bench((0..<9).map { "fact \($0) " + String(repeating: "\u{20AC}", count: 650) })
    #expect(bench.ask(.exported) == "answer 1 no there is no export")
    #expect(bench.ask(.export).hasSuffix(" entries"))
    let whole = bench.markdown.exported.text
    #expect(whole.utf8.count > Budget.ownerPieceBytes)
    var text = ""
    while true {
      let piece = bench.ask(.exported, number: UInt64(text.utf8.count)).dropFirst("answer 1 ok ".count)
      #expect(piece.utf8.count <= Budget.ownerPieceBytes && !piece.contains("\u{FFFD}"))
      if piece.isEmpty { break }
      text += piece
    }
    #expect(text == whole)
  }

  @Test func anImportIsTakenAndReported() throws {
    let bench = try bench()
    #expect(bench.ask(.imported) == "answer 1 no there is nothing to import")
    let text = "# Facts\n\n- **gate** (2026-11-24T08:00:00.000Z): under the pot\nnoise\n"
    #expect(bench.ask(.importing, String(text.prefix(20)), number: 0) == "answer 1 ok ")
    #expect(bench.ask(.importing, String(text.dropFirst(20)), number: 20) == "answer 1 ok ")
    #expect(bench.ask(.imported).hasPrefix("answer 1 ok 1 taken, 0 known already, "))
    #expect(bench.table.rows.count == 1 && bench.markdown.imported == nil)
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let bench = try bench()
    bench.markdown.isFull = true
    #expect(bench.ask(.export).contains(" no the agent cannot write a file"))
    #expect(bench.ask(.importing, "x").contains(" no the agent cannot write a file"))
    let beyond = UInt64(Budget.memoryImportBytes)
    #expect(bench.ask(.importing, "x", number: beyond).contains(" no the file is larger than any memory"))
    bench.give(.ask) { writer in
      writer.littleEndian(3, bytes: 4)
      writer.byte(99)
    }
    #expect(bench.take() == ["answer 3 no the agent is of another release: restart it"])
    bench.give(.ask) { $0.littleEndian(3, bytes: 4) }
    #expect(bench.take().isEmpty)
  }

  @Test func oneRequestAtATime() throws {
    let bench = try bench()
    for id in [1, 2] as [UInt64] {
      bench.give(.ask) { writer in
        writer.littleEndian(id, bytes: 4)
        writer.byte(OwnerRequest.search.rawValue)
        writer.text("words")
      }
    }
    #expect(bench.take() == ["answer 2 no the agent still does what was asked before"])
    bench.settle()
    #expect(bench.take() == ["answer 1 ok nothing is remembered of that"])
  }

  @Test func moreThanAnAnswerHoldsIsSaid() throws {
    let bench = try bench((0..<12).map { "gate \($0) " + String(repeating: "x", count: 1900) })
    let answer = bench.ask(.search, "gate")
    #expect(answer.utf8.count <= Budget.ownerPieceBytes + 20)
    #expect(answer.hasSuffix("there is more: say more words"))
  }
}
