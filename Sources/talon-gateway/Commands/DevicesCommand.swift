import ArgumentParser

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List, approve, reject, revoke, rotate and remove devices.",
    subcommands: [List.self, Approve.self, Reject.self, Revoke.self, Rotate.self, Remove.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show waiting requests and approved devices.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("devices.list") { result in
        describe("Waiting", result["pending"]) { request in
          line(request, request["reason"]?.string)
          print(
            "    approve with: "
              + gateway.commandLine("devices approve \(request["requestId"]?.string ?? "")"))
        }
        describe("Approved", result["paired"]) { device in
          line(device, device["connected"]?.bool == true ? "connected" : "not connected")
        }
      }
    }

    private func describe(_ title: String, _ rows: JSON?, _ body: (JSON) -> Void) {
      let rows = rows?.array ?? []
      print("\(title): \(rows.isEmpty ? "none" : String(rows.count))")
      rows.forEach(body)
    }

    private func line(_ row: JSON, _ state: String?) {
      let name = row["displayName"]?.string ?? "(no name)"
      let roles = (row["roles"]?.strings ?? []).joined(separator: ", ")
      let platform = row["platform"]?.string ?? ""
      print("  \(name)  \(platform)  \(roles.isEmpty ? "no role" : roles)  \(state ?? "")")
      print("    device \(row["deviceId"]?.string ?? "")")
    }
  }

  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Approve a waiting request, for its role and for the commands the device declares.",
      discussion: "A real gateway only previews with --latest; this one, made for the bench, really approves."
    )

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The request id, as shown by `devices list` and on the device.") var requestID: String?
    @Flag(help: "Approve the request that was repeated last.") var latest = false

    func validate() throws {
      guard (requestID != nil) != latest else { throw ValidationError("Give a request id or --latest.") }
    }

    func run() throws {
      let params = JSON.compact(["requestId": requestID.map(JSON.string)])
      try gateway.call("devices.approve", params) { result in
        let device = result["device"]
        print("Approved \(device?["displayName"]?.string ?? "device") \(device?["deviceId"]?.string ?? "")")
      }
    }
  }

  struct Reject: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reject a waiting request.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The request id.") var requestID: String

    func run() throws {
      try gateway.call("devices.reject", ["requestId": .string(requestID)]) { result in
        print("Rejected \(result["deviceId"]?.string ?? "")")
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a device's roles and tokens, and close its connections.")

    @OptionGroup var gateway: StateOptions
    @OptionGroup var target: Target

    func run() throws {
      try gateway.call("devices.revoke", target.params) { _ in print("Revoked \(target.deviceID)") }
    }
  }

  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace a device's tokens, and close its connections.",
      discussion: "The device gets the new token when it next connects with another credential.")

    @OptionGroup var gateway: StateOptions
    @OptionGroup var target: Target

    func run() throws {
      try gateway.call("devices.rotate", target.params) { _ in print("Rotated \(target.deviceID)") }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a device, and close its connections.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The device id.") var deviceID: String

    func run() throws {
      try gateway.call("devices.remove", ["deviceId": .string(deviceID)]) { _ in print("Removed \(deviceID)")
      }
    }
  }

  /// One device, in one role or all.
  struct Target: ParsableArguments {
    @Argument(help: "The device id.") var deviceID: String
    @Option(help: "Only this role: node or operator.") var role: String?

    var params: JSON { .compact(["deviceId": .string(deviceID), "role": role.map(JSON.string)]) }
  }
}
