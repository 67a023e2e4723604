import Codec
import Runtime

/// Gets changes of a `ChatDirectory`.
public protocol ChatDirectoryDelegate: AnyObject {
  func directoryChanged()
}

/// The gateway's agents and its last conversations, as a person chooses among them (`agents.list`, `sessions.list`).
public final class ChatDirectory: DeskDelegate {
  private enum Tag: Int { case agents = 1, sessions }

  /// An agent, or a conversation.
  public struct Entry {
    /// The conversation's key; an agent's is that of its main one.
    public var key = SessionKey()
    /// What people call it.
    public var label = InlineText<96>()
    public var isAgent = false
  }

  private unowned(unsafe) let desk: OperatorDesk
  /// Lives as long as the desk.
  public unowned(unsafe) var delegate: (any ChatDirectoryDelegate)?
  private var entries: [Entry] = []
  private var agents = 0

  init(_ desk: OperatorDesk) {
    self.desk = desk
    entries.reserveCapacity(Budget.chatChoices)
  }

  public var count: Int { entries.count }

  public subscript(_ index: Int) -> Entry { entries[index] }

  /// Asks for both lists again. What was known stays until they come.
  public func refresh() {
    desk.ask("agents.list", self, Tag.agents.rawValue) { _ in }
    desk.ask("sessions.list", self, Tag.sessions.rawValue) { writer in
      writer.key("limit")
      writer.int(Int64(Budget.chatChoices))
    }
  }

  /// A key for a new conversation with the agent of this one.
  public func newKey(beside key: SessionKey) -> SessionKey { desk.newSession(of: desk.agent(of: key)) }

  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    if tag == Tag.agents.rawValue { readAgents(payload) } else { readSessions(payload) }
    delegate?.directoryChanged()
  }

  private func readAgents(_ payload: borrowing JSONView) {
    guard let list = payload.member("agents"), list.kind == .array else { return }
    entries.removeAll { $0.isAgent }
    agents = 0
    var elements = list.elements()
    while agents < Budget.chatAgents, entries.count < Budget.chatChoices, let row = elements.next() {
      var id = InlineText<64>()
      guard let member = row.member("id"), id.fill({ member.copyString(into: $0) }), !id.isEmpty else { continue }
      var entry = Entry()
      entry.isAgent = true
      entry.key = desk.mainSession(of: id)
      entry.label = InlineText(cutting: id.span)
      if let name = row.member("name") {
        Self.set(&entry.label, name)
      } else if let identity = row.member("identity"), let name = identity.member("name") {
        Self.set(&entry.label, name)
      }
      entries.insert(entry, at: agents)
      agents += 1
    }
  }

  private func readSessions(_ payload: borrowing JSONView) {
    guard let list = payload.member("sessions"), list.kind == .array else { return }
    entries.removeAll { !$0.isAgent }
    var elements = list.elements()
    while entries.count < Budget.chatChoices - 1, let row = elements.next() {
      var entry = Entry()
      guard let key = row.member("key"), entry.key.fill({ key.copyString(into: $0) }), !entry.key.isEmpty,
        !isAgent(entry.key)
      else { continue }
      entry.label = InlineText(cutting: entry.key.span)
      if let name = row.member("label", or: "displayName") { Self.set(&entry.label, name) }
      entries.append(entry)
    }
  }

  /// True for the main conversation of an agent that has a row.
  private func isAgent(_ key: SessionKey) -> Bool {
    for index in 0..<agents where entries[index].key == key { return true }
    return false
  }

  private static func set(_ label: inout InlineText<96>, _ name: borrowing JSONView) {
    var text = InlineText<96>()
    if text.fill({ name.copyString(into: $0) }), !text.isEmpty { label = text }
  }

  /// A gateway without a list has one conversation for this board.
  public func deskFailed(_ tag: Int, _ failure: DeskFailure) { delegate?.directoryChanged() }
  public func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  public func chatCut(_ tag: Int) {}
  public func chatStep(_ tag: Int, _ step: ChatStep) {}
  public func chatEnded(_ tag: Int, isAborted: Bool) {}
}
