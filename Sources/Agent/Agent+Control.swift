import Codec
import Gateway
import Runtime

/// What people and programs at the board see of the agent.
extension Agent: ControlNode {
  public func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64? {
    // The members as they stand, without the object's brackets.
    let text = payload.rawText
    let inside = text.extracting(1..<(text.count - 1))
    let isEmpty = Self.isBlank(inside)
    let posted = inside.withUnsafeBufferPointer { bytes in
      outbox.post(event, ageLimit: ageLimit, hasID: hasID) { writer in
        if !isEmpty { writer.raw(Span(_unsafeElements: bytes)) }
      }
    }
    if case .accepted(let number) = posted { return number }
    return nil
  }

  public var agent: Agent? { self }

  /// Nobody listens to this call any more.
  func forget(_ control: Control, _ call: Int) {
    selfTest.forget(control, call)
    deviceCommands.forget(control, call)
    if control.snapCall == call { camera.forgetSnap() }
    #if TALON_SOUND
      announcer?.forget(call)
    #endif
  }

  /// Reads what `device.health` says; false when too much is being read.
  func readHealth(_ listener: any HealthListener, _ tag: Int) -> Bool { deviceCommands.readHealth(listener, tag) }

  private static func isBlank(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count where text[index] > 0x20 { return false }
    return true
  }

  public func tellPresence() -> Bool {
    guard session.state == .online, beacon.isSupported else { return false }
    beacon.send(.manual)
    return true
  }
}
