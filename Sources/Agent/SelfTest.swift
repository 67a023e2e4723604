import Camera
import CameraPart
import Codec
import Device
import Node
import Runtime

/// Gets the result of a self-test.
protocol SelfTestDelegate: AnyObject {
  func selfTestEnded(_ tag: Int, _ test: SelfTest)
}

/// Tests the devices for a person at the board: writes to flash, takes a photo, and reads the state of the other
/// devices and of the gateway. One at a time.
final class SelfTest: BoardSnapDelegate, FlashProofDelegate {
  /// One test and its result.
  struct Check {
    let name: StaticString
    let isGood: Bool
    let detail: StaticString
  }

  private unowned(unsafe) let agent: Agent
  private var delegate: (any SelfTestDelegate)?
  private var tag = 0
  private var flash: Check?
  private var camera: Check?
  /// The results, in order.
  private(set) var checks: [Check] = []

  init(_ agent: Agent) {
    self.agent = agent
    checks.reserveCapacity(Budget.selfTestChecks)
  }

  /// Begins; false when a test is under way.
  func begin(_ delegate: any SelfTestDelegate, _ tag: Int) -> Bool {
    guard self.delegate == nil else { return false }
    (flash, camera) = (nil, nil)
    self.delegate = delegate
    self.tag = tag
    // Refused only while the flash test of an earlier caller is under way: its result is used.
    _ = agent.hold.prove(self)
    do throws(CameraError) {
      try agent.camera.snap(SnapParameters(), to: UnsafeBufferPointer(start: nil, count: 0), self)
    } catch {
      snapFailed(error)
    }
    return true
  }

  /// The caller has disconnected.
  func forget(_ delegate: any SelfTestDelegate, _ tag: Int) {
    guard self.delegate === delegate, self.tag == tag else { return }
    self.delegate = nil
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
    // What is disabled, and what a person holds, counts as good.
    if case .disabled = error { isGood = true }
    camera = Check(
      name: "camera", isGood: isGood,
      detail: isHeld ? HoldError.reason : error.wire.text)
    endIfComplete()
  }

  private func endIfComplete() {
    guard let delegate, let flash, let camera else { return }
    checks.removeAll(keepingCapacity: true)
    checks.append(flash)
    checks.append(camera)
    let hardware = agent.table.report
    checks.append(Self.check("receiver", hardware.location, "sentences come"))
    checks.append(Self.check("motion", hardware.motion, "samples come"))
    checks.append(Self.check("light", agent.panel.light, "obeys"))
    checks.append(Self.check("button", agent.panel.button, "its line is watched"))
    checks.append(Self.check("gateway", hardware.services.gateway, "online"))
    self.delegate = nil
    delegate.selfTestEnded(tag, self)
  }

  /// What is not configured counts as good.
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
