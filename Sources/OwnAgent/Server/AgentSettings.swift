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
  /// Where messages go; nil where there is no such way.
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
}

/// The files that the owner edits.
public enum AgentFile: Sendable {
  /// `AGENT.md`: who the agent is, and how it speaks.
  case persona
  /// `MEMORY.md`: what it is to know always.
  case memory
}
