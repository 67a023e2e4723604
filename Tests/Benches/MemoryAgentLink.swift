import OwnAgent
import Runtime

/// A link in memory, and the agent's end of it.
final class MemoryAgentLink: AgentLink {
  /// True while a process listens.
  var isThere = true
  /// Bytes that it takes before the agent reads.
  var capacity = Int.max
  private(set) var opened = 0
  private(set) var closed = 0
  private(set) var isOpen = false
  private var unread: [UInt8] = []
  private var reader = AgentFrameReader()
  private var delegate: (any AgentLinkDelegate)?
  private var isFull = false

  func open(_ delegate: any AgentLinkDelegate) -> Bool {
    guard isThere else { return false }
    self.delegate = delegate
    (unread, isOpen, isFull) = ([], true, false)
    reader.reset()
    opened += 1
    return true
  }

  func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard isOpen else { return 0 }
    let count = min(bytes.count, max(capacity - unread.count, 0))
    unread += bytes[..<count]
    isFull = count < bytes.count
    return count
  }

  func close() {
    closed += 1
    (isOpen, delegate) = (false, nil)
  }

  // MARK: The agent's end

  /// The frames that the node has sent since the last call.
  func take() -> [(kind: AgentFrame.Kind, body: [UInt8])] {
    var found: [(kind: AgentFrame.Kind, body: [UInt8])] = []
    while !unread.isEmpty || isFull {
      let room = reader.room()
      let count = min(room.count, unread.count)
      for index in 0..<count { room[index] = unread[index] }
      reader.wrote(count)
      unread.removeFirst(count)
      while let (kind, body) = reader.next() { found.append((kind, Array(body))) }
      if isFull {
        isFull = false
        delegate?.agentLinkIsWritable()
      }
    }
    return found
  }

  /// The agent sends bytes, in pieces of this size.
  func send(_ bytes: [UInt8], by size: Int = .max) {
    var start = 0
    while start < bytes.count, let delegate {
      let room = delegate.agentLinkRoom()
      let count = min(size, room.count, bytes.count - start)
      for index in 0..<count { room[index] = bytes[start + index] }
      delegate.agentLinkReceived(count)
      start += count
    }
  }

  func lose() {
    let delegate = delegate
    (isOpen, self.delegate) = (false, nil)
    delegate?.agentLinkLost()
  }
}
