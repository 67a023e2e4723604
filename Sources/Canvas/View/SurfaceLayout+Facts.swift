import A2UI
import Codec

// What the layout's dump says of an instance beside its place.

extension SurfaceLayout {
  /// Writes `text`, what can be read on it, and `state`, how it stands.
  func writeFacts(_ index: Int, to writer: inout JSONWriter) {
    guard tree[index].kind == .component else { return writeText("cycle", &writer) }
    switch tree[index].type {
    case .text: writeText(index, "text", &writer)
    case .icon: writeText(index, "name", &writer)
    case .image: writeText(index, "altText", &writer)
    case .audioPlayer: writeText(index, "description", &writer)
    case .checkBox:
      writeText(index, "label", &writer)
      writeState(isChecked(index) ? "checked" : "unchecked", &writer)
    case .textField: writeField(index, &writer)
    case .dateTimeInput: writeEntered(index, &writer)
    case .slider:
      writer.key("value")
      writer.double(SliderRange(self, index).value)
    case .tabs:
      writer.key("state")
      writer.int(Int64(state(index).tab))
    case .modal: writeState(state(index).isOpen ? "open" : "closed", &writer)
    case .multipleChoice:
      writer.key("state")
      writer.int(Int64(chosenCount(index)))
    case .list where self[index].isScrolling:
      writer.key("scroll")
      writer.int(Int64(state(index).scroll))
    default: break
    }
  }

  private func writeField(_ index: Int, _ writer: inout JSONWriter) {
    if tree.isObscured(index) {
      writeState("obscured", &writer)
    } else {
      writeEntered(index, &writer)
    }
  }

  private func writeEntered(_ index: Int, _ writer: inout JSONWriter) {
    let text = fieldText(index)
    guard !text.isEmpty else { return }
    writer.key("text")
    writer.string(text)
  }

  private func writeText(_ index: Int, _ name: StaticString, _ writer: inout JSONWriter) {
    let tree = tree
    guard let text = tree.string(index, name), !text.isEmpty else { return }
    writer.key("text")
    writer.string(text)
  }

  private func writeText(_ text: StaticString, _ writer: inout JSONWriter) {
    writer.key("text")
    writer.string(text)
  }

  private func writeState(_ state: StaticString, _ writer: inout JSONWriter) {
    writer.key("state")
    writer.string(state)
  }
}
