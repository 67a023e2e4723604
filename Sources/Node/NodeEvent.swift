import Codec
import Gateway

/// `node.event`: an event of the node (gateway reference 9.5). The payload is JSON text in a string, which every
/// generation of gateways reads.
public enum NodeEvent {
  /// Timeout in milliseconds of the gateway's response.
  static let timeout: Int64 = 8_000

  /// Sends an event; false when the channel did not take it, and then there is no response.
  public static func send(
    _ name: UnsafeBufferPointer<UInt8>, _ payload: UnsafeBufferPointer<UInt8>,
    over channel: any RequestChannel, delegate: any RequestDelegate, tag: Int
  ) -> Bool {
    channel.request("node.event", delegate: delegate, tag: tag, timeout: timeout) { writer in
      writer.key("event")
      writer.string(Span(_unsafeElements: name))
      writer.key("payloadJSON")
      writer.string(Span(_unsafeElements: payload))
    }
  }
}
