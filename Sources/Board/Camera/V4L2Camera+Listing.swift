import CLinux
import Camera
import Runtime

/// The current state of a camera control, for `talon camera`.
public struct ControlState {
  /// As `v4l2-ctl -l` prints it.
  public let name: CameraText
  /// nil: it cannot be read.
  public let value: Int?
  public let range: ControlRange
  /// The default.
  public let home: Int
  /// True for a button: it triggers something and has no value.
  public let isButton: Bool
  /// True when only the camera sets it.
  public let isReadOnly: Bool
  /// True while its driver lets nobody change it.
  public let isLocked: Bool
  /// The name of its value, for a menu.
  public let item: CameraText?
}

/// Lists of modes and controls, for `talon camera`.
extension V4L2Camera {
  /// How an offer relates to an order.
  public enum OfferUse {
    /// The offer that the order selects.
    case chosen
    /// Usable, but another one is better.
    case usable
    /// Cannot be used.
    case none
  }

  /// Calls `body` with every offer of a camera and its use for an order; returns the mode that the order selects, nil
  /// when none can be used.
  public func modes(
    for order: StreamOrder, _ body: (CameraOffer, OfferUse) -> Void
  ) throws(CameraError) -> (camera: CameraEntry, chosen: CameraMode?) {
    let camera = try find(order.device)
    defer { camera.close() }
    let selection = selection(order, cameraSettings.settings(for: camera.entry))
    let chosen = camera.best(selection)
    camera.forEachOffer(selection) { offer in
      guard let mode = selection.mode(of: offer) else { return body(offer, .none) }
      body(offer, mode == chosen ? .chosen : .usable)
    }
    return (camera.entry, chosen)
  }

  /// Calls `body` with every control of a camera.
  public func controls(of device: CameraText?, _ body: (ControlState) -> Void) throws(CameraError) {
    let camera = try find(device)
    defer { camera.close() }
    V4L2Control.forEach(of: camera.file) { control in
      let value = control.value(of: camera.file)
      body(
        ControlState(
          name: control.name, value: value, range: control.range, home: control.home, isButton: control.isButton,
          isReadOnly: control.isReadOnly, isLocked: control.isLocked,
          item: value.flatMap { control.item($0, of: camera.file) }))
    }
  }

  /// Sets controls of a camera as its configuration would; returns those that it did not accept.
  public func set(_ controls: CameraControls, of device: CameraText?) throws(CameraError) -> ControlMismatches {
    let camera = try find(device)
    defer { camera.close() }
    var settings = V4L2Settings(of: camera.file)
    settings.apply(controls)
    return settings.mismatches
  }
}
