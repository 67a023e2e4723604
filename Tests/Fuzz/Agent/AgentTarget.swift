import Glibc
import Runtime

/// The whole agent among people, gateways and programs that say anything: it lives, answers every invoke once, and
/// comes back to a gateway that is well. The input is the dice of some messages.
func checkAgent(_ bytes: [UInt8]) {
  let program = SharedProgram.next()
  let dice = Dice(bytes)
  for _ in 0..<24 where !dice.isSpent { program.step(dice) }
}

/// A board that many inputs use, for it is much to make.
private enum SharedProgram {
  nonisolated(unsafe) private static var program: AgentProgram?
  nonisolated(unsafe) private static var uses = 0

  static func next() -> AgentProgram {
    uses += 1
    if let program, uses % 400 != 0 {
      if uses % 50 == 0 { program.rest() }
      return program
    }
    let program = AgentProgram.make()
    self.program = program
    return program
  }
}

extension AgentProgram {
  static func make() -> AgentProgram {
    do {
      return AgentProgram(try FuzzBoard())
    } catch {
      fatalError("a board cannot be made here: \(error)")
    }
  }
}
