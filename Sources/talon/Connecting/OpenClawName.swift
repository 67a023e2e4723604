import Runtime

/// This program under the name `openclaw`: the answer to the one question that a gateway asks a board over SSH,
/// `openclaw node identity --json`. It reads the public copy of the identity and nothing else.
enum OpenClawName {
  /// True when it was called by that name.
  static var isOurs: Bool {
    let name = Process.name
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name == "openclaw" }
    return name[name.index(after: slash)...] == "openclaw"
  }

  static func run(_ words: [String]) throws(Failure) -> ExitCode {
    guard words == ["node", "identity", "--json"] || words == ["node", "identity"] else {
      throw Failure(.usage, "this openclaw is Talon's, and answers only: openclaw node identity --json")
    }
    let text: [UInt8]
    do throws(Errno) {
      text = try PublicIdentity.read()
    } catch {
      throw Failure(.unavailable, "the public copy of the identity cannot be read: \(String(error.text))")
    }
    guard let found = PublicIdentity.parse(text) else {
      throw Failure(.unavailable, "there is no public copy of the identity: talon ssh-identity install makes it")
    }
    if words.count == 3 {
      Console.show("{\"deviceId\":\"\(found.id)\",\"publicKey\":\"\(found.key)\"}")
    } else {
      Console.show("device id   \(found.id)")
      Console.show("public key  \(found.key)")
    }
    return .ok
  }
}
