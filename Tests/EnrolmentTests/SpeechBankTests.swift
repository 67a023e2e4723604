import Enrolment
import Testing

@Suite struct SpeechBankTests {
  @Test("the built-in bank is sound") func builtIn() throws {
    let bank = try #require(SpeechBank.builtIn)
    #expect(bank.count > 50)
    #expect(bank.stepCount > 20_000)
  }

  @Test("recordings lie one after the other") func recordings() throws {
    let bank = try SpeechBank(UnsafeRawBufferPointer(bankBytes([(12, "hello board"), (3, ""), (20, "one two three")])))
    var runs: [(Int, Int, Int)] = []
    bank.forEach { runs.append(($0.run.start, $0.run.count, $0.run.windows)) }
    #expect(runs.map(\.0) == [0, 12, 15])
    #expect(runs.map(\.1) == [12, 3, 20])
    #expect(runs.map(\.2) == [4, 0, 12])
  }

  @Test("a phrase is found where all its words are said together") func words() throws {
    let bank = try SpeechBank(UnsafeRawBufferPointer(bankBytes([(9, "say hey talon now"), (9, "hey you talon")])))
    var found: [Bool] = []
    bank.forEach { found.append(bank.has(SpeechBank.hashes(of: Array("hey talon".utf8)), in: $0)) }
    #expect(found == [true, false])
    bank.forEach { recording in
      let (has, hasNothing) = (
        bank.has(SpeechBank.hashes(of: Array("talon".utf8)), in: recording), bank.has([], in: recording)
      )
      #expect(has && !hasNothing)
    }
  }

  @Test("bytes that are no bank are refused by their reason") func refused() {
    let good = Array(bankBytes([(9, "hello")]))
    func error(_ change: (inout [UInt8]) -> Void) -> SpeechBankError? {
      var bytes = good
      change(&bytes)
      return bankError(sealed(bytes))
    }
    #expect(error { _ in } == nil)
    #expect(error { $0[0] = 0 } == .wrongFormat)
    #expect(error { $0[8] = 9 } == .unsupportedVersion)
    #expect(error { $0[12] = 10 } == .truncated)
    #expect(error { $0.removeLast(40) } == .truncated)
    let damaged = bankBytes([(9, "hello")])
    damaged[40] ^= 1
    #expect(bankError(damaged) == .damaged)
    #expect(bankError(bankBytes([(9, "")], floats: { $0 == 7 ? .nan : 0 })) == .invalid)
    // The table of recordings says more steps than there are.
    let table = SpeechBank.headerBytes + 4 * SpeechBank.floats
    #expect(error { $0[table] = 200 } == .invalid)
    #expect(error { $0[table + 4] = 200 } == .invalid)
  }
}
