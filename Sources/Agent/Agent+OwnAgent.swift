import Gateway
import Node
import Runtime
import ToolsPart

#if !TALON_LEAN
  import OwnAgentPart
#endif

/// The board's own agent.
extension Agent {
  /// True where the board's own agent is switched on, and people have a way to it.
  func hasOwnAgent(_ settings: Settings, _ world: World) -> Bool {
    #if TALON_LEAN
      false
    #else
      guard settings.ownAgent.isEnabled, world.ownAgent != nil else { return false }
      if desk == nil {
        log.write(
          .warning, "agent", "the board's own agent needs enabled = yes in [operator]: people reach it by that way")
      }
      return desk != nil
    #endif
  }

  #if !TALON_LEAN
    /// Makes its part, which borrows the tools, and answers in the desk's place.
    func addOwnAgent(_ tools: ToolsPart, _ settings: Settings, _ world: World) throws(Errno) {
      guard settings.ownAgent.isEnabled, let desk, var board = world.ownAgent else { return }
      board.instance = InlineText(cutting: session.identity.id.span.extracting(0..<12))
      let part = try OwnAgentPart(
        settings.ownAgent, board, desk: desk, lender: tools, outbox: outbox, runner: world.runner, clock: clock,
        log: log
      )
      part.notifier = notifications
      ownAgent = part
      table.add(part)
    }
  #endif
}
