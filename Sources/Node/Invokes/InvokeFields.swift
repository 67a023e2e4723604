import Codec

/// Where the members of an invoke are, found in one pass over its payload, because the parameters may be long. Each is
/// JSON text that begins with the value; that of a member which is not there is empty. Valid as long as the payload.
struct InvokeFields {
  typealias Text = UnsafeBufferPointer<UInt8>

  private(set) var id = Text(start: nil, count: 0)
  private(set) var node = Text(start: nil, count: 0)
  private(set) var command = Text(start: nil, count: 0)
  private(set) var timeout = Text(start: nil, count: 0)
  private(set) var key = Text(start: nil, count: 0)
  private(set) var session = Text(start: nil, count: 0)
  /// Parameters: JSON in a string, and as the object that some gateways send.
  private(set) var paramsJSON = Text(start: nil, count: 0)
  private(set) var params = Text(start: nil, count: 0)
  /// The payload.
  let payload: Text

  init(_ payload: borrowing JSONView) {
    self.payload = payload.tail.withUnsafeBufferPointer { $0 }
    var members = payload.members()
    while let member = members.next() {
      let text = member.value.tail.withUnsafeBufferPointer { $0 }
      let name = member.name
      if name.equals("id") {
        id = text
      } else if name.equals("nodeId") {
        node = text
      } else if name.equals("command") {
        command = text
      } else if name.equals("timeoutMs") {
        timeout = text
      } else if name.equals("idempotencyKey") {
        key = text
      } else if name.equals("sessionKey") {
        session = text
      } else if name.equals("paramsJSON") {
        paramsJSON = text
      } else if name.equals("params") {
        params = text
      }
    }
  }
}

extension JSONView {
  /// The value at the beginning of checked JSON text, which lives as long as this.
  @_lifetime(borrow text)
  init(_ text: borrowing InvokeFields.Text) { self.init(Span(_unsafeElements: text)) }
}
