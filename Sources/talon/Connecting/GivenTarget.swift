import Gateway
import Runtime

/// What a person gave to connect the board, read and found right: nothing is changed by that.
struct GivenTarget {
  let target: ConnectTarget
  /// The file in which it stood, to be removed when it is used.
  private(set) var file: OneShotFile?

  /// Reads what was typed: a code or link, or the name of a file with one, which is read as the user who calls.
  init(_ text: String) throws(Failure) {
    let trimmed = ConfigurationKey.trimmed(Array(text.utf8)[...])
    let target = try ConnectCommand.sorted(trimmed)
    if Self.isAddress(trimmed, target) {
      throw Failure(
        .usage,
        """
        there is no file "\(trimmed)", and an address alone does not say that this board may connect. Give the join \
        URL that the gateway's machine prints (openclaw devices join-code), or set url and token_file in [gateway]
        """)
    }
    guard case .file(let path) = target else {
      self.target = target
      _ = try code
      return
    }
    let file = try OneShotFile(path)
    self.target = try ConnectCommand.sorted(file.line)
    if case .file = self.target { throw Failure(.usage, "\(path) holds neither a join URL nor a setup code") }
    self.file = file
    _ = try code
  }

  /// The address, or the first of them, to which it connects.
  func gateway(_ configuration: Configuration) throws(Failure) -> String {
    if case .join(let url) = target { return url.origin }
    guard let code = try code else { return "" }
    return try ConnectCommand.usable(code, configuration).urls[0].text
  }

  /// What it has for the board's record; nil for a join URL, which has to be asked for that.
  var code: SetupCode? {
    get throws(Failure) {
      switch target {
      case .join, .file: nil
      case .dashboard(let url, let token): SetupCode(url: url, pin: nil, token: token)
      case .link(let text): try ConnectCommand.linkCode(text)
      case .code(let text): try ConnectCommand.code(text)
      }
    }
  }

  /// True for the address of a gateway in place of a code or of a file that is there.
  private static func isAddress(_ text: String, _ target: ConnectTarget) -> Bool {
    switch target {
    case .code: guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
    case .file(let path):
      if path.utf8.first == UInt8(ascii: "/") || (try? Syscall.status(Path(path))) != nil { return false }
    default: return false
    }
    return (try? GatewayURL(address: text)) != nil || text.hasPrefix("ws://") || text.hasPrefix("wss://")
  }
}
