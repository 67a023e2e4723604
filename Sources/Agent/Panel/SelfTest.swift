import Camera
import Codec
import Device
import Runtime

/// Told what a self-test found.
protocol SelfTestListener: AnyObject {
  func selfTestEnded(_ tag: Int, _ test: SelfTest)
}

/// Tries what the board has, for a person who stands before it: writes to flash, takes a photo, and looks how the other
/// devices and the gateway are. One at a time.
final class SelfTest: BoardSnapOwner, FlashProofOwner {
  /// One thing that was tried.
  struct Check {
    let name: StaticString
    let isGood: Bool
    let detail: StaticString
  }

  private unowned(unsafe) let agent: Agent
  private var listener: (any SelfTestListener)?
  private var tag = 0
  private var flash: Check?
  private var camera: Check?
  /// What was found, in order.
  private(set) var checks: [Check] = []

  init(_ agent: Agent) {
    self.agent = agent
    checks.reserveCapacity(Budget.selfTestChecks)
  }

  /// Begins; false when one is under way.
  func begin(_ listener: any SelfTestListener, _ tag: Int) -> Bool {
    guard self.listener == nil else { return false }
    (flash, camera) = (nil, nil)
    self.listener = listener
    self.tag = tag
    // Refused only while the proof for somebody who has gone since is under way: its end counts.
    _ = agent.hold.prove(self)
    do throws(CameraError) {
      try agent.camera.snap(SnapParameters(), to: UnsafeBufferPointer(start: nil, count: 0), self)
    } catch {
      snapFailed(error)
    }
    return true
  }

  /// Nobody listens any more.
  func forget(_ listener: any SelfTestListener, _ tag: Int) {
    guard self.listener === listener, self.tag == tag else { return }
    self.listener = nil
    agent.camera.forgetSnap()
  }

  func flashProved(_ isGood: Bool) {
    flash = Check(
      name: "flash", isGood: isGood, detail: isGood ? "a record was written" : "a record could not be written")
    endIfComplete()
  }

  func snapTaken(_ snap: BoardSnap) {
    camera = Check(name: "camera", isGood: true, detail: "a photo was taken")
    endIfComplete()
  }

  func snapFailed(_ error: CameraError) {
    let isHeld = agent.hold.isHeld
    var isGood = isHeld
    // What the configuration wants off, and what a person holds, is as it should be.
    if case .disabled = error { isGood = true }
    camera = Check(
      name: "camera", isGood: isGood,
      detail: isHeld ? HoldError.held.wire.text : error.wire.text)
    endIfComplete()
  }

  private func endIfComplete() {
    guard let listener, let flash, let camera else { return }
    checks.removeAll(keepingCapacity: true)
    checks.append(flash)
    checks.append(camera)
    let hardware = agent.hardware
    checks.append(Self.check("receiver", hardware.location, "sentences come"))
    checks.append(Self.check("motion", hardware.motion, "samples come"))
    checks.append(Self.check("light", agent.lightHardware, "obeys"))
    checks.append(Self.check("button", agent.buttonHardware, "its line is watched"))
    checks.append(Self.check("gateway", hardware.services.gateway, "online"))
    self.listener = nil
    listener.selfTestEnded(tag, self)
  }

  /// What is not configured is as it should be.
  private static func check(_ name: StaticString, _ state: HardwareState, _ good: StaticString) -> Check {
    let isOff = state.state == .absent && !state.isPermitted
    return Check(name: name, isGood: state.state == .ok || isOff, detail: state.detail ?? good)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("checks")
    writer.beginArray()
    for check in checks {
      writer.beginObject()
      writer.key("name")
      writer.string(check.name)
      writer.key("isGood")
      writer.bool(check.isGood)
      writer.key("detail")
      writer.string(check.detail)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
