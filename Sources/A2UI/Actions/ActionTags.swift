/// The sender of an action, and which of its two forms is used (canvas reference 2.9).
public struct ActionTags: ~Escapable {
  let session: Span<UInt8>
  let host: Span<UInt8>
  let instance: Span<UInt8>
  let isShort: Bool

  /// The form of nodes: `CANVAS_A2UI action=... session=... surface=... component=... host=... instance=...`.
  /// - Parameters:
  ///   - session: key of the node's main session.
  ///   - host: the node's display name.
  ///   - instance: its instance id.
  @_lifetime(copy session, copy host, copy instance)
  public init(session: Span<UInt8>, host: Span<UInt8>, instance: Span<UInt8>) {
    self.session = session
    self.host = host
    self.instance = instance
    isShort = false
  }

  /// The form of the plugin behind a canvas socket: no host and no instance, and characters that are not allowed in a
  /// name are left out.
  @_lifetime(copy session)
  public init(session: Span<UInt8>) {
    self.session = session
    host = session.extracting(0..<0)
    instance = session.extracting(0..<0)
    isShort = true
  }
}
