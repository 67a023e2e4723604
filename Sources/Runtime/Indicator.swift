/// The light that shows that a camera or a microphone is on.
public protocol Indicator: AnyObject {
  /// Switches it, and looks whether it obeyed: false when it did not.
  func light(_ isOn: Bool) -> Bool
}
