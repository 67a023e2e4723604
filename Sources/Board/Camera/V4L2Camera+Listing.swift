import CLinux
import Camera
import Runtime

/// A control of a camera as it is now, for people.
public struct ControlState {
  /// As `v4l2-ctl -l` prints it.
  public let name: CameraText
  /// nil: it does not tell.
  public let value: Int?
  public let range: ControlRange
  /// What it is when nobody set it.
  public let home: Int
  /// True when it does something and has no value.
  public let isButton: Bool
  /// True when the camera alone sets it.
  public let isReadOnly: Bool
  /// What its value is called, of a menu.
  public let item: CameraText?
}

/// What cameras offer, for people who set them up.
extension V4L2Camera {
  /// What an order makes of an offer.
  public enum OfferUse {
    /// It is what the order would get.
    case chosen
    /// It would do, if there were nothing better.
    case usable
    /// It is of no use.
    case none
  }

  /// Calls `body` with all that a camera offers, and of what use that is for an order; answers the mode of the order, nil
  /// when there is none that can be used.
  public func modes(
    for order: StreamOrder, _ body: (CameraOffer, OfferUse) -> Void
  ) throws(CameraError) -> (camera: CameraEntry, chosen: CameraMode?) {
    let camera = try find(order.device)
    defer { camera.close() }
    let wish = wish(order, roster.settings(for: camera.entry))
    let chosen = camera.best(wish)
    camera.forEachOffer(wish) { offer in
      guard let mode = wish.mode(of: offer) else { return body(offer, .none) }
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
          isReadOnly: control.isReadOnly, item: value.flatMap { control.item($0, of: camera.file) }))
    }
  }

  /// Sets controls of a camera, as its configuration would; answers what it did not take.
  public func set(_ controls: CameraControls, of device: CameraText?) throws(CameraError) -> ControlComplaints {
    let camera = try find(device)
    defer { camera.close() }
    var settings = V4L2Settings(of: camera.file)
    settings.apply(controls)
    return settings.complaints
  }
}
