import ArgumentParser

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List, approve, reject and revoke devices.",
    subcommands: [List.self, Approve.self, Reject.self, Revoke.self], defaultSubcommand: List.self)

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
        print(
          "Approved \(result["device"]?["displayName"]?.string ?? "device") \(result["device"]?["deviceId"]?.string ?? "")"
        )
      }
    }
  }

  struct Reject: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Drop a waiting request.")

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
      abstract: "Take back a device's roles and tokens, and close its connection.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The device id.") var deviceID: String

    func run() throws {
      try gateway.call("devices.revoke", ["deviceId": .string(deviceID)]) { _ in
        print("Revoked \(deviceID)")
      }
    }
  }
}
