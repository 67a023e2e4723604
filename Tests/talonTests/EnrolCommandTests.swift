import Runtime
import Testing

@testable import talon

/// `talon listen --enrol`.
@Suite struct EnrolCommandTests {
  private let folder = TemporaryFolder()

  /// A recording of a second and a half: room, a buzz that rises, room.
  private func recording(_ name: String, pitch: Int, level: Int = 9_000) -> String {
    var bytes =
      Array("RIFF".utf8) + little(36 + 48_000, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
    bytes +=
      little(16_000, 4) + little(32_000, 4) + little(2, 2) + little(16, 2) + Array("data".utf8) + little(48_000, 4)
    var state: UInt32 = 5
    for index in 0..<24_000 {
      state = state &* 1_664_525 &+ 1_013_904_223
      var sample = Int(state >> 27) - 16
      if 6_000..<18_000 ~= index {
        let place = index * (pitch + index / 200) / 16_000
        sample += place % 2 == 0 ? level : -level * (index % 37) / 37
      }
      bytes += little(sample & 0xFFFF, 2)
    }
    return folder.put(name, bytes)
  }

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func listen(_ words: String...) throws -> ExitCode {
    let usage = try #require(Usage.sound.first { $0.command == "listen" })
    let configuration = folder.put(
      "talon.conf",
      Array("[gateway]\nurl = wss://gw:1\n[node]\nstate_directory = \(folder.path)/state\n[wake]\nespeak = none\n".utf8)
    )
    return try ListenCommand.run(try Options(words + ["--config", configuration], usage))
  }

  private func failure(_ words: String...) -> String? {
    do {
      let usage = try #require(Usage.sound.first { $0.command == "listen" })
      let configuration = folder.put(
        "talon.conf",
        Array(
          "[gateway]\nurl = wss://gw:1\n[node]\nstate_directory = \(folder.path)/state\n[wake]\nespeak = none\n".utf8))
      _ = try ListenCommand.run(try Options(words + ["--config", configuration], usage))
      return nil
    } catch {
      return (error as? Failure)?.text
    }
  }

  @Test("three recordings in files teach a phrase, which can be forgotten") func learns() throws {
    let files = [recording("a.wav", pitch: 110), recording("b.wav", pitch: 112), recording("c.wav", pitch: 108)]
    #expect(try listen("--enrol", "Hey Talon", "--wav", files[0], "--wav", files[1], "--wav", files[2]) == .ok)
    let record = try TextFile.read("\(folder.path)/state/enrolled", limit: Budget.wakeBankBytes)
    #expect(String(decoding: record, as: UTF8.self).contains("hey talon"))
    #expect(try listen("--forget", "hey talon") == .ok)
    #expect(failure("--forget", "hey talon") == "\"hey talon\" was not learned on this board")
  }

  @Test("what cannot be learned from is told by its name and reason") func refused() throws {
    let (good, quiet) = (recording("a.wav", pitch: 110), recording("q.wav", pitch: 110, level: 0))
    #expect(failure("--enrol", "!?")?.contains("is no phrase") == true)
    #expect(failure("--enrol", "hello board", "--wav", good)?.contains("give --wav FILE 3 times") == true)
    #expect(
      failure("--enrol", "hello board", "--wav", good, "--wav", quiet, "--wav", good) == "\(quiet): nothing was said")
    #expect(
      failure("--enrol", "hello board", "--wav", good, "--wav", "/nowhere", "--wav", good)?.hasPrefix(
        "/nowhere cannot be read") == true)
    let text = folder.put("t.wav", Array("no sound".utf8))
    #expect(
      failure("--enrol", "hello board", "--wav", text, "--wav", good, "--wav", good)
        == "\(text): it is not a WAV file (no RIFF and WAVE at its beginning)")
  }

  @Test("a phrase is learned from its spelling, and recordings of it are never replaced by that") func typed() throws {
    #expect(try listen("--enrol", "Purple Dragon", "--typed") == .ok)
    let record = try TextFile.read("\(folder.path)/state/enrolled", limit: Budget.wakeBankBytes)
    #expect(String(decoding: record, as: UTF8.self).contains("purple dragon"))
    let files = [recording("a.wav", pitch: 110), recording("b.wav", pitch: 112), recording("c.wav", pitch: 108)]
    #expect(try listen("--enrol", "Purple Dragon", "--wav", files[0], "--wav", files[1], "--wav", files[2]) == .ok)
    #expect(failure("--enrol", "purple dragon", "--typed")?.contains("is known from recordings") == true)
    #expect(try listen("--forget", "purple dragon") == .ok)
  }

  @Test("what cannot be learned from its spelling is told before it takes its time") func notTyped() throws {
    #expect(failure("--enrol", "!?", "--typed")?.contains("is no phrase") == true)
    #expect(failure("--enrol", "привет", "--typed")?.contains("letters that no voice of English pronounces") == true)
    #expect(failure("--enrol", "Computer", "--typed")?.contains("is built in") == true)
    #expect(
      failure("--enrol", "hello board", "--typed", "--wav", "a.wav")?.contains("--typed needs no recordings") == true)
  }
}
