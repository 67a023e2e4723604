import Board
import Camera
import Canvas
import Device
import Gateway
import Runtime
import Sound

/// Checks without the agent: the board's readings, the service, the gateway's addresses, the devices.
struct BoardCheck {
  let configuration: Configuration
  var limits = BoardLimits.read()

  /// Power, heat, clock, storage, memory, network, watchdog.
  func board() -> [Finding] {
    do throws(Errno) {
      var snapshot = DeviceSnapshot()
      try SystemReadings(stateFolder: configuration.stateDirectory, clock: SystemClock()).read(into: &snapshot)
      if Syscall.refusesFiles(in: try Path(configuration.stateDirectory)) { snapshot.storage?.isReadOnly = true }
      return snapshot.findings
    } catch {
      return [Finding("board", .unknown, "it cannot be looked at: \(String(error.text))")]
    }
  }

  // MARK: Service

  /// Whether the service manager starts the agent with the board; nothing without systemd.
  func service() -> [Finding] {
    guard Self.isThere("/run/systemd/system") else { return [] }
    let folders = ["multi-user.target.wants", "default.target.wants", "graphical.target.wants"]
    for folder in folders where Self.isThere("/etc/systemd/system/\(folder)/talon.service") {
      return [Finding("service", .good, "it starts with the board")]
    }
    return [Finding("service", .warning, "it does not start with the board", remedy: "systemctl enable talon")]
  }

  /// Whether the folder of the identity and tokens is private.
  func stateFolder() -> [Finding] {
    do throws(Errno) {
      let path = try Path(configuration.stateDirectory)
      let status = try Syscall.status(path)
      do throws(Errno) {
        try Syscall.access(path)
      } catch {
        return [
          Finding(
            "secrets", .unknown, "this user may not see what is trusted and approved",
            remedy: "run it as root: sudo talon doctor")
        ]
      }
      if status.mode & 0o077 == 0 { return [] }
      return [
        Finding(
          "secrets", .warning, "others may look into \(configuration.stateDirectory)",
          remedy: "chmod 0700 \(configuration.stateDirectory)")
      ]
    } catch {
      return [
        Finding(
          "secrets", .unknown,
          "\(configuration.stateDirectory): \(String(error.text)); the agent makes it at its first start")
      ]
    }
  }

  /// Whether the console's PIN is secret enough; nothing when it is.
  func pin() -> [Finding] {
    guard let note = ConfigCommand.note(configuration.console) else { return [] }
    return [Finding("secrets", .warning, note, remedy: ConfigCommand.pinRemedy)]
  }

  // MARK: Gateway

  /// Tries the known addresses, until one answers.
  func gateway() -> [Finding] {
    let record = self.record()
    var urls = configuration.urls
    for url in record?.urls ?? [] where configuration.allows(url) && !urls.contains(where: { $0.text == url.text }) {
      urls.append(url)
    }
    if urls.isEmpty {
      if !configuration.instance.isEmpty {
        return [Finding("address", .unknown, "it is looked for by its name; talon discover shows who is there")]
      }
      return [
        Finding(
          "address", .failure, "no gateway is known",
          remedy: "talon connect CODE with a setup code of the gateway, or set [gateway] url")
      ]
    }
    var findings: [Finding] = []
    for url in urls {
      let outcome = GatewayProbe.run(url, by: configuration.route)
      findings.append(
        outcome.finding(url) { certificate in
          Trust.judge(
            certificate, by: configuration.trust, known: record?.trust ?? .nothing, isName: url.isName)
        })
      if outcome.isEnd { break }
    }
    return findings
  }

  /// Whether the gateway has given this board a token.
  func pairing() -> [Finding] {
    guard let record = record() else { return [] }
    if !record.token(.node).isEmpty { return [Finding("pairing", .good, "the gateway has approved this board")] }
    return [
      Finding(
        "pairing", .warning, "the gateway has not approved this board yet",
        remedy: "start the agent; talon status then shows the command for the gateway's machine")
    ]
  }

  /// The stored record of the gateway, if this user may read it.
  private func record() -> GatewayRecord? {
    guard Self.isThere(configuration.stateDirectory) else { return nil }
    do throws(Failure) {
      let store = try StateFolder.open(configuration.stateDirectory)
      return try StateFolder.knownRecord(store, configuration, OpenSSLCryptography(), nil)
    } catch {
      return nil
    }
  }

  // MARK: Devices

  /// Looks for the configured devices without using them.
  func devices() -> [Finding] {
    var findings: [Finding] = []
    for device in CheckedDevice.allCases {
      findings.append(
        device.isWanted(configuration) ? finding(device) : Finding(device.name, .unknown, "none is configured"))
    }
    return findings
  }

  private func finding(_ device: CheckedDevice) -> Finding {
    switch device {
    case .camera: return cameras()
    case .receiver:
      guard configuration.locationDriver == .serial else { break }
      return file(device, configuration.port, .serial)
    case .motion:
      guard configuration.motionDriver == .i2c else { break }
      return file(device, configuration.motionBus, .chip)
    case .microphone: return microphone()
    case .light, .button:
      guard let lines = GPIOCheck(configuration).finding(device) else { break }
      return lines.grade == .failure ? limits.finding(device, .failure, lines.text, isOnLines: true) : lines
    }
    return Finding(device.name, .unknown, "only the agent knows")
  }

  private func cameras() -> Finding {
    guard configuration.cameraDriver == .v4l2 else { return Finding("camera", .good, "it is simulated") }
    do throws(CameraError) {
      var list = CameraList()
      try CameraWiring(configuration: configuration, clock: SystemClock()).kernel().enumerate(into: &list)
      var usable = 0
      for index in 0..<list.count {
        let camera = list[index]
        if limits.givesPictures(bus: camera.bus.span) { usable += 1 }
      }
      if usable == 1 { return Finding("camera", .good, "one is there") }
      if usable > 1 { return Finding("camera", .good, "\(usable) are there") }
      return limits.finding(.camera, .warning, "no camera found")
    } catch {
      return Finding("camera", .failure, CameraCommand.text(error), remedy: CheckedDevice.camera.remedy)
    }
  }

  /// Whether this user may open the file of a device.
  func file(_ device: CheckedDevice, _ path: String, _ interface: DeviceInterface) -> Finding {
    do throws(Errno) {
      try Syscall.access(Path(path))
      return Finding(device.name, .good, "\(path) is there")
    } catch {
      return missing(device, path, DeviceTrouble(error, of: interface), error)
    }
  }

  /// The finding about a device whose file cannot be opened. A user without the right is told the group, not to look at
  /// wires.
  func missing(_ device: CheckedDevice, _ path: String, _ trouble: DeviceTrouble, _ reason: Errno) -> Finding {
    let text = "\(path): \(String(trouble.text))"
    guard reason == .accessDenied || reason == .notPermitted else { return limits.finding(device, .failure, text) }
    return Finding(device.name, .failure, text, remedy: String(trouble.step))
  }

  /// Whether what the owner's tools and the button for talking are made of is there; nothing when it is.
  func tools() -> [Finding] {
    limits.tools(configuration.hands) { Self.isThere($0) } + GPIOCheck(configuration).others()
  }

  private static func isThere(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Syscall.status(Path(path))
      return true
    } catch {
      return false
    }
  }
}
