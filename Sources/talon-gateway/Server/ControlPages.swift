/// What `hello-ok` has for the pages of the control UI (newer-gateways 4.5), which nodes ignore. It fills the message
/// up to the size that real ones reach, so that every client meets one.
enum ControlPages {
  /// Bytes of the whole message.
  static let helloBytes = 60 * 1024

  static func members(_ core: GatewayCore, beside hello: JSON) -> JSON {
    let common: JSON = [
      "controlUiUrl": .string("http" + core.address.url.dropFirst(2)),
      "controlUiWidgetKinds": ["markdown", "html", "board", "chart"],
      "controlUiLinkReaders": [["id": "web", "schemes": ["https", "http"]]],
    ]
    let size = tab(0).bytes.count + 1
    let room = helloBytes - hello.bytes.count - common.bytes.count
    return common.with(member: "controlUiTabs", .array((0..<max(room / size, 0)).map(tab)))
  }

  private static func tab(_ number: Int) -> JSON {
    let name = "tab-\(String(number + 1000))"
    return [
      "id": .string(name), "title": .string("Page \(name)"), "icon": "squares", "kind": "plugin",
      "path": .string("/control/plugins/\(name)/index.html"), "order": .integer(Int64(1000 + number)),
      "description": "A page that a plugin adds to the control UI; nodes have no use for it.",
    ]
  }
}
