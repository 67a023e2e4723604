import Codec
import Gateway

/// `node.event`: what a node tells without being asked (gateway reference 9.5). The payload goes as JSON text in a
/// string, which every generation of gateways reads.
enum NodeEvent {
  /// Milliseconds to wait for the gateway's word.
  static let patience: Int64 = 8_000

  /// Sends an event; false when the channel did not take it, and then no answer comes.
  static func send(
    _ name: UnsafeBufferPointer<UInt8>, _ payload: UnsafeBufferPointer<UInt8>,
    over channel: any RequestChannel, owner: any RequestOwner, tag: Int
  ) -> Bool {
    channel.request("node.event", owner: owner, tag: tag, timeout: patience) { writer in
      writer.key("event")
      writer.string(Span(_unsafeElements: name))
      writer.key("payloadJSON")
      writer.string(Span(_unsafeElements: payload))
    }
  }
}
