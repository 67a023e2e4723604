import ArgumentParser

struct QRCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr", abstract: "Make a setup code that pairs one board.",
    discussion: "This gateway draws no picture: the code is for `talon connect`.")

  @OptionGroup var gateway: StateOptions
  @Flag(help: "Print the code and nothing else.") var setupCodeOnly = false
  @Option(name: .customLong("url"), help: "Where the board finds the gateway; may be given again (N).")
  var urls: [String] = []
  @Option(help: "Seconds until the code is worthless; ten minutes by default.") var expiresIn: Int64?
  @Flag(help: "For a node and no operator; such a code needs no approval (N).") var nodeOnly = false
  @Flag(help: "Print it as an oc-pair:// link.") var ocPair = false
  @Flag(help: "Print a join URL, which hands the code out once, to a node and to no operator (N).") var join = false

  func validate() throws {
    guard expiresIn ?? 1 > 0 else { throw ValidationError("--expires-in must be positive.") }
    guard urls.count <= 8 else { throw ValidationError("A code carries at most 8 URLs.") }
  }

  func run() throws {
    let params = JSON.compact([
      "urls": JSON(urls), "expiresInMs": expiresIn.map { .integer($0 * 1000) }, "nodeOnly": .bool(nodeOnly || join),
      "join": .bool(join),
    ])
    try gateway.withGateway { client in
      let result = try client.call("qr", params)
      if join {
        return print(gateway.json ? result.prettyText : result["joinUrl"]?.string ?? "")
      }
      let code = (ocPair ? "oc-pair://" : "") + (result["setupCode"]?.string ?? "")
      if gateway.json { return print(result.with(member: "setupCode", .string(code)).prettyText) }
      if setupCodeOnly { return print(code) }
      print("setup code  \(code)")
      print("urls        \((result["urls"]?.strings ?? []).joined(separator: " "))")
      print("expires at  \(result["expiresAtMs"]?.integer ?? 0) ms since the epoch")
    }
  }
}
