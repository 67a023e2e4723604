// In every test run, as ordinary tests without sanitizers; `board/fuzz` compiles nothing of it.
#if TALON_SLICE
  import Foundation
  import TestSupport
  import Testing

  @Suite("Fuzz targets, a slice of each", .serialized)
  struct SliceTests {
    /// Made inputs of each target, beside those that are kept in Tests/Fixtures/fuzz.
    private static let madeInputs = 50
    private static let bytesMax = 512
    /// Messages that become far more than anybody means, and courses over time. They take a sixth of all.
    private static let vastMessages = 3
    private static let courses = 12

    @Test(
      "every input that was kept, and some that are made of them, leave what must be true as it is",
      arguments: Target.all.map(\.name))
    func slice(name: String) throws {
      let target = try #require(Target.all.first { $0.name == name })
      let kept = try keptInputs(of: name)
      kept.forEach(target.check)
      for number in 0..<Self.madeInputs {
        let dice = Dice(seed: Dice.seed(1, number))
        target.check(kept.isEmpty || number % 2 == 0 ? random(dice) : mutated(dice.pick(kept), dice))
      }
    }

    @Test("the agent holds for messages that become far more than they look, and for questions that are taken back")
    func agent() {
      let program = AgentProgram.make()
      for number in 0..<Self.vastMessages { program.step(Dice(seed: Dice.seed(2, number)), program.vast) }
      for number in 0..<Self.courses {
        program.step(Dice(seed: Dice.seed(3, number))) { Course(program, $0).play() }
      }
      program.rest()
    }

    /// In the order of their names, so that each run is the same.
    private func keptInputs(of target: String) throws -> [[UInt8]] {
      let folder = Repository.fixtures.appendingPathComponent("fuzz/\(target)")
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
      return try names.sorted().map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
    }

    private func random(_ dice: Dice) -> [UInt8] { (0..<dice.below(Self.bytesMax)).map { _ in dice.byte() } }

    /// Some bytes are others, a piece is missing or is there twice.
    private func mutated(_ input: [UInt8], _ dice: Dice) -> [UInt8] {
      var bytes = input
      for _ in 0...dice.below(4) where !bytes.isEmpty {
        let place = dice.below(bytes.count)
        let end = min(bytes.count, place + 1 + dice.below(16))
        switch dice.below(4) {
        case 0: bytes[place] = dice.byte()
        case 1: bytes[place] ^= 1 << UInt8(dice.below(8))
        case 2: bytes.removeSubrange(place..<end)
        default: bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
      }
      return bytes
    }
  }
#endif
