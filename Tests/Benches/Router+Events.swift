import Codec
import Node

extension Router {
  /// The gateway's event for an invoke, as the session hands it on.
  public func receiveInvoke(_ payload: String) {
    received(JSONView("\"node.invoke.request\"".utf8.span), JSONView(payload.utf8.span))
  }
}
