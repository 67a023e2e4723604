import Codec
import Completion
import Fetch
import Runtime

/// What the owner wants of the board's own agent.
public struct AgentSettings: Sendable {
  /// In order of preference.
  public var models: [ModelSettings]
  public var retries = Budget.modelRetries
  public var budget = ModelBudget()
  /// The agent's own tools that the model is told of.
  public var tools: [OwnTool]
  /// Messages go by the gateway's channels while it is there.
  public var hasGatewayRoute = false
  /// Where messages go otherwise; nil where there is no such way.
  public var mail: AgentMail?
  /// The chat that messages go to, and that is listened to while the gateway is away.
  public var telegramChat: Int64?

  /// An agent with these models, and nothing else.
  public init(models: [ModelSettings], tools: [OwnTool] = []) {
    self.models = models
    self.tools = tools
  }
}

/// From whom and to whom mail goes.
public struct AgentMail: Sendable {
  public var sender: String
  public var recipient: String

  /// Addresses as `MailAddress` takes them.
  public init(sender: String, recipient: String) { (self.sender, self.recipient) = (sender, recipient) }
}

/// What the agent's process does for the agent.
public protocol AgentHost: AnyObject {
  /// The node is connected, and takes frames.
  var isConnected: Bool { get }
  /// Sends a frame to the node; does nothing when it is not connected.
  func send(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void)
  /// Reads one of the owner's files into `room`; 0 where there is none.
  func read(_ file: AgentFile, into room: UnsafeMutableBufferPointer<UInt8>) -> Int
  /// The files of the owner's exports and imports.
  var transfers: any MemoryTransfers { get }
}

/// The two Markdown files by which a memory comes and goes. They are in the agent's own folder: what a person gets, or
/// gives, travels in pieces through the node.
public protocol MemoryTransfers: AnyObject {
  /// A file for an export, which takes the place of the one before; nil: it cannot be made.
  func makeExport() -> (any MarkdownSink)?
  /// Reads bytes of the last export from a place on, and returns how many; nil without one.
  func readExport(at place: Int64, into room: UnsafeMutableBufferPointer<UInt8>) -> Int?
  /// Writes bytes of an import at a place; the first piece, at 0, begins anew. False when that fails.
  func writeImport(_ piece: UnsafeBufferPointer<UInt8>, at place: Int64) -> Bool
  /// The import, to be read from its start; nil without one.
  func openImport() -> (any MarkdownSource)?
  /// Removes both.
  func removeAll()
}

/// The files that the owner edits.
public enum AgentFile: Sendable {
  /// `AGENT.md`: who the agent is, and how it speaks.
  case persona
  /// `MEMORY.md`: what it is to know always.
  case memory
}
