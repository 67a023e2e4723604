import Codec
import Completion
import Runtime

/// The tools that the model is told of: the agent's own, which the configuration allows, and those of the board, which
/// the node names when it connects, and again when they have changed. A fixed number, of bounded size; while a turn
/// runs, none is removed.
public final class ToolBook {
  /// Who runs a tool.
  public enum Runner: Equatable, Sendable {
    case own(OwnTool)
    case board
  }

  /// Why a tool of the board is left out.
  public enum Refusal: Error, Equatable, Sendable {
    /// `Budget.agentTools` are there.
    case full
    /// The frame is no description of a tool, or it is longer than `Budget.agentToolBytes`.
    case malformed
    /// Its name is not one that models can call, or it is taken; or its parameters are no schema.
    case unfit(ModelToolError)
  }

  private struct Row {
    var effect: ToolEffect
    var runner: Runner
    /// Whatever it does, its results are words of others.
    var brings = false
    var limit: RateLimit
  }

  private let own: ModelTools
  /// As requests name them.
  public private(set) var tools: ModelTools
  private var rows: [Row] = []
  private let text = FixedBuffer(capacity: Budget.agentToolBytes)

  /// A book of the agent's own tools.
  @export(interface)
  public init(_ own: [OwnTool]) {
    var tools = ModelTools()
    for tool in own {
      // They are ours, and a test proves that all are fit.
      guard
        (try? tools.add(
          name: String(tool.name), description: String(tool.description), parameters: String(tool.parameters))) != nil
      else { continue }
      rows.append(Row(effect: tool.effect, runner: .own(tool), limit: RateLimit(tool.callsPerMinute)))
    }
    (self.own, self.tools) = (tools, tools)
  }

  /// How many there are.
  public var count: Int { rows.count }

  /// Forgets the tools of the board, which describes itself anew.
  public func removeBoardTools() {
    tools = own
    rows.removeLast(rows.count - own.list.count)
  }

  /// Adds a tool of the board: `{name, description, parameters, effect, brings?}`, JSON that was not checked yet. One
  /// whose effect is not known counts as one that acts.
  public func addBoardTool(_ json: Span<UInt8>) throws(Refusal) {
    guard json.count <= Budget.agentToolBytes, (try? JSONValidator.check(json, depthLimit: Budget.modelDepth)) != nil
    else { throw .malformed }
    let tool = JSONView(json)
    guard let name = string(tool.member("name")), let description = string(tool.member("description")),
      let parameters = tool.member("parameters")
    else { throw .malformed }
    guard rows.count < Budget.agentTools else { throw .full }
    let effect = tool.member("effect")?.uint64.flatMap { ToolEffect(rawValue: UInt8(clamping: $0)) } ?? .acts
    let schema = parameters.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    do throws(ModelToolError) {
      try tools.add(name: name, description: description, parameters: schema)
    } catch {
      throw .unfit(error)
    }
    let brings = tool.member("brings")?.bool == true
    rows.append(
      Row(effect: effect, runner: .board, brings: brings, limit: RateLimit(OwnTool.boardCallsPerMinute)))
  }

  private func string(_ member: JSONView?) -> String? {
    guard let member, let count = member.copyString(into: text.bytes) else { return nil }
    return String(decoding: UnsafeBufferPointer(text.bytes)[..<count], as: UTF8.self)
  }

  // MARK: Asking

  /// The place of the tool with this name.
  public func index(of name: UnsafeBufferPointer<UInt8>) -> Int? { tools.index(of: name) }

  /// Who runs the tool at a place below `count`, and what it does.
  public func runner(_ index: Int) -> Runner { rows[index].runner }
  public func effect(_ index: Int) -> ToolEffect { rows[index].effect }

  /// True when whatever it answers, also why it fails, is words of others, such as those of a server of the owner.
  public func brings(_ index: Int) -> Bool { rows[index].brings }

  /// Counts a call; false when there were too many in the last minute.
  public func takeCall(_ index: Int, at now: Int64) -> Bool { rows[index].limit.take(at: now) }
}

/// How often something may happen in a minute.
struct RateLimit: Sendable {
  private let perMinute: Int
  private var since: Int64?
  private var count = 0

  init(_ perMinute: Int) { self.perMinute = perMinute }

  /// Counts it; false when it has happened as often as it may since the minute began.
  mutating func take(at now: Int64) -> Bool {
    if since.map({ now - $0 >= 60_000 }) ?? true { (since, count) = (now, 0) }
    guard count < perMinute else { return false }
    count += 1
    return true
  }
}

extension String {
  /// A literal as a string. For start-up.
  fileprivate init(_ text: StaticString) { self.init(decoding: text.bytes, as: UTF8.self) }
}
