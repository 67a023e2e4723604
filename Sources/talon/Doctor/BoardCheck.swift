import Board
import Camera
import Canvas
import Device
import Gateway
import Runtime
import Sound

/// What can be looked at without the agent: the board's readings, the service, the gateway's addresses, the devices.
struct BoardCheck {
  let configuration: Configuration

  /// Power, heat, clock, storage, memory, network, watchdog.
  func board() -> [Finding] {
    do throws(Errno) {
      var snapshot = DeviceSnapshot()
      try SystemReadings(stateFolder: configuration.stateDirectory, clock: SystemClock()).read(into: &snapshot)
      return snapshot.findings
    } catch {
      return [Finding("board", .untold, "it cannot be looked at: \(String(error.text))")]
    }
  }

  // MARK: Service

  /// Whether the service manager starts the agent with the board; nothing where there is no systemd.
  func service() -> [Finding] {
    guard Self.isThere("/run/systemd/system") else { return [] }
    let folders = ["multi-user.target.wants", "default.target.wants", "graphical.target.wants"]
    for folder in folders where Self.isThere("/etc/systemd/system/\(folder)/talon.service") {
      return [Finding("service", .good, "it starts with the board")]
    }
    return [Finding("service", .warning, "it does not start with the board", remedy: "systemctl enable talon")]
  }

  /// The folder of the identity and tokens is nobody else's business.
  func stateFolder() -> [Finding] {
    do throws(Errno) {
      let path = try Path(configuration.stateDirectory)
      let status = try Syscall.status(path)
      do throws(Errno) {
        try Syscall.access(path)
      } catch {
        return [
          Finding(
            "secrets", .untold, "this user may not see what is trusted and approved", remedy: "say it as root: sudo talon doctor")
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
          "secrets", .untold, "\(configuration.stateDirectory): \(String(error.text)); the agent makes it at its first start")
      ]
    }
  }

  /// Whether the console's PIN is as secret as it may be; nothing where all is well.
  func pin() -> [Finding] {
    guard let note = ConfigCommand.note(configuration.console) else { return [] }
    return [Finding("secrets", .warning, note, remedy: ConfigCommand.pinRemedy)]
  }

  // MARK: Gateway

  /// Tries the addresses that are known, until one answers.
  func gateway() -> [Finding] {
    let record = self.record()
    var urls = configuration.urls
    for url in record?.urls ?? [] where configuration.allows(url) && !urls.contains(where: { $0.text == url.text }) {
      urls.append(url)
    }
    if urls.isEmpty {
      if !configuration.instance.isEmpty {
        return [Finding("address", .untold, "it is looked for by its name; talon discover shows who is there")]
      }
      return [
        Finding(
          "address", .failure, "no gateway is known",
          remedy: "talon pair CODE with a setup code of the gateway, or set [gateway] url")
      ]
    }
    var findings: [Finding] = []
    for url in urls {
      let outcome = GatewayProbe.run(url)
      findings.append(
        outcome.finding(url) { certificate in
          Trust.judge(
            certificate, configured: configuration.pin, pinning: configuration.pinning, known: record?.pin,
            knownKey: record?.keyPin)
        })
      if outcome.isEnd { break }
    }
    return findings
  }

  /// Whether the gateway gave this board a token.
  func pairing() -> [Finding] {
    guard let record = record() else { return [] }
    if !record.token(.node).isEmpty { return [Finding("pairing", .good, "the gateway has approved this board")] }
    return [
      Finding(
        "pairing", .warning, "the gateway has not approved this board yet",
        remedy: "start the agent; talon status then shows the command for the gateway's machine")
    ]
  }

  /// What is remembered of the gateway, as far as this user may know it.
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

  /// What the configuration wants, looked for without using it.
  func devices() -> [Finding] {
    var findings: [Finding] = []
    for device in CheckedDevice.allCases {
      findings.append(
        device.isWanted(configuration) ? finding(device) : Finding(device.name, .untold, "none is configured"))
    }
    return findings
  }

  private func finding(_ device: CheckedDevice) -> Finding {
    switch device {
    case .camera: return cameras()
    case .receiver:
      guard configuration.locationDriver == .serial else { break }
      return file(device, configuration.port)
    case .motion:
      guard configuration.motionDriver == .i2c else { break }
      return file(device, configuration.motionBus)
    case .microphone: return microphone()
    case .light, .button: break
    }
    return Finding(device.name, .untold, "only the agent can tell")
  }

  private func cameras() -> Finding {
    guard configuration.cameraDriver == .v4l2 else { return Finding("camera", .good, "it is simulated") }
    do throws(CameraError) {
      var list = CameraList()
      try CameraWiring(configuration: configuration, clock: SystemClock()).kernel().enumerate(into: &list)
      if list.count == 1 { return Finding("camera", .good, "one is there") }
      if list.count > 1 { return Finding("camera", .good, "\(list.count) are there") }
      return Finding("camera", .warning, "no camera found", remedy: CheckedDevice.camera.remedy)
    } catch {
      return Finding("camera", .failure, String(error.wire.text), remedy: CheckedDevice.camera.remedy)
    }
  }

  private func microphone() -> Finding {
    #if TALON_SOUND
      let sound = configuration.sound
      if sound.microphoneDriver == .simulated { return Finding("microphone", .good, "it is simulated") }
      do throws(SoundError) {
        try ALSACards.look(sound.microphone.order, captures: true)
        return Finding("microphone", .good, "it is there")
      } catch {
        var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
        let count = bytes.withUnsafeMutableBufferPointer { buffer in
          var line = LogLine(buffer)
          error.write(to: &line)
          return line.count
        }
        return Finding(
          "microphone", .failure, String(decoding: bytes[..<count], as: UTF8.self), remedy: CheckedDevice.microphone.remedy)
      }
    #else
      return Finding("microphone", .untold, "this build has no sound")
    #endif
  }

  /// The model of the board's own recogniser; nothing where none is configured.
  func recogniser() -> [Finding] {
    #if TALON_SOUND
      let folder = configuration.talk.recogniser
      guard !folder.isEmpty, configuration.talk.isEnabled else { return [] }
      do throws(SphinxModelError) {
        let megabytes = try SphinxModel(folder: folder).bytes >> 20
        return [Finding("recogniser", .good, "its model is there, \(megabytes) MB")]
      } catch {
        return [
          Finding(
            "recogniser", .failure, error.text,
            remedy: "install the model, as apt-get install pocketsphinx-en-us, or correct [talk] recogniser")
        ]
      }
    #else
      return []
    #endif
  }

  /// Whether what strangers made is decoded as it should be: in a process that can do nothing else. Tried with a picture of one pixel.
  func decoder() -> [Finding] {
    #if TALON_CANVAS
      if case .none = configuration.canvas.screen.output { return [] }
      let pixel: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0,
        0x3B,
      ]
      if let fault = decode(pixel) {
        return [Finding("decoder", .failure, "no picture from elsewhere can be shown: \(fault)")]
      }
      if Confinement.hasFilter {
        return [Finding("decoder", .good, "pictures and scripts from elsewhere have processes of their own")]
      }
      return [
        Finding(
          "decoder", .warning, "this kernel cannot filter what the processes for pictures and scripts from elsewhere ask of it",
          remedy: "a kernel with CONFIG_SECCOMP_FILTER")
      ]
    #else
      return []
    #endif
  }

  #if TALON_CANVAS
    private func decode(_ bytes: [UInt8]) -> String? {
      do throws(PictureFault) {
        let picture = try bytes.withUnsafeBufferPointer { (bytes) throws(PictureFault) in
          try PictureProcess().decode(bytes, .picture(.gif), PictureLimit(wanted: Size(1, 1)))
        }
        return picture == nil ? "it is none" : nil
      } catch {
        let text = error.text
        return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      }
    }
  #endif

  private func file(_ device: CheckedDevice, _ path: String) -> Finding {
    do throws(Errno) {
      try Syscall.access(Path(path))
      return Finding(device.name, .good, "\(path) is there")
    } catch {
      return Finding(device.name, .failure, "\(path): \(String(error.text))", remedy: device.remedy)
    }
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
