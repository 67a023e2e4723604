/// The privacy light, which is lit while a camera or a microphone is open.
public protocol Indicator: AnyObject {
  /// Switches it and reads its state back: false when it did not change.
  func light(_ isOn: Bool) -> Bool
}
