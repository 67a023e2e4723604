/// The components of the standard catalog of A2UI v0.8 (canvas reference 1.8).
public enum ComponentType: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case text, image, icon, video, audioPlayer, divider
  case row, column, list, card, tabs, modal
  case button, checkBox, textField, dateTimeInput, multipleChoice, slider
  /// A name that is not in the catalog, or a definition without exactly one name: drawn as a placeholder with its
  /// children.
  case unknown

  /// The name in messages.
  public var name: StaticString {
    switch self {
    case .text: "Text"
    case .image: "Image"
    case .icon: "Icon"
    case .video: "Video"
    case .audioPlayer: "AudioPlayer"
    case .divider: "Divider"
    case .row: "Row"
    case .column: "Column"
    case .list: "List"
    case .card: "Card"
    case .tabs: "Tabs"
    case .modal: "Modal"
    case .button: "Button"
    case .checkBox: "CheckBox"
    case .textField: "TextField"
    case .dateTimeInput: "DateTimeInput"
    case .multipleChoice: "MultipleChoice"
    case .slider: "Slider"
    case .unknown: ""
    }
  }
}
