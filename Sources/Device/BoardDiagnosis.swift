import Codec
import Runtime

/// Findings from the board's readings for people: power, heat, clock, storage, memory, network and watchdog. For
/// commands, which may allocate.
extension DeviceSnapshot {
  /// Degrees Celsius at which a Raspberry Pi is throttled, and from which it is close to that.
  private static let hot = 85.0, warm = 75.0
  /// Free bytes below which the agent may fail, and below which a warning is given.
  private static let leastFree: UInt64 = 4 << 20, usualFree: UInt64 = 64 << 20
  /// dBm below which a wireless link is unreliable.
  private static let faintSignal = -78
  /// Percentage of used life from which a card should be replaced.
  private static let wornOut = 90

  /// All findings, in the order in which a person would check.
  @export(interface)
  public var findings: [Finding] {
    [
      powerFinding, heatFinding, clockFinding, storageFinding, wearFinding, memoryFinding, linkFinding, routeFinding,
      watchdogFinding,
    ]
  }

  // MARK: Power and heat

  var powerFinding: Finding {
    let supply = "use the supply that was made for this board, and a short, thick cable"
    if throttling?.isNow(.underVoltage) ?? isUnderVoltage ?? false {
      return Finding("power", .failure, "the voltage is too low", remedy: supply)
    }
    if throttling?.hasBeen(.underVoltage) ?? false {
      return Finding("power", .warning, "the voltage has been too low since the start", remedy: supply)
    }
    if battery.isNearlyEmpty, battery.state == .unplugged || battery.state == .unknown {
      return Finding("power", .warning, "the battery is nearly empty", remedy: "charge it")
    }
    if throttling == nil, isUnderVoltage == nil { return Finding("power", .unknown, "this board does not report it") }
    return Finding("power", .good, "the voltage is right, and was since the start")
  }

  var heatFinding: Finding {
    let air = "give it air, shade or a heat sink"
    let degrees = temperature.map { "\(Int(clamping: $0.rounded())) degrees" } ?? "this board does not report it"
    if throttling?.isNow(.throttled) ?? false || throttling?.isNow(.softTemperatureLimit) ?? false {
      return Finding("heat", .warning, "\(degrees): the board is slowed down", remedy: air)
    }
    guard let temperature else { return Finding("heat", .unknown, degrees) }
    if temperature >= Self.hot { return Finding("heat", .failure, "\(degrees) is too hot", remedy: air) }
    if temperature >= Self.warm { return Finding("heat", .warning, "\(degrees) is nearly too hot", remedy: air) }
    return Finding("heat", .good, degrees)
  }

  // MARK: Clock

  var clockFinding: Finding {
    let keeping = "let it reach a time server (NTP), or set_clock = yes with a receiver and talon-clock.conf"
    if !clock.isBelievable {
      let isPast = clock.wall < Budget.earliestWall
      return Finding(
        "clock", .failure,
        isPast ? "the date is long past: nothing has set the clock" : "the date is far in the future: it was set wrong",
        remedy: keeping)
    }
    let chip = clock.hasHardwareClock ? "" : "; without power it stands still"
    switch clock.isSynchronized {
    case true: return Finding("clock", .good, "it is kept right\(chip)")
    case false: return Finding("clock", .warning, "nothing keeps it right\(chip)", remedy: keeping)
    default: return Finding("clock", .unknown, "this system does not report whether anything keeps it right\(chip)")
    }
  }

  // MARK: Storage

  var storageFinding: Finding {
    guard let storage else {
      return Finding(
        "storage", .failure, "the state folder cannot be looked at",
        remedy: "check [node] state_directory, and that its disk is mounted")
    }
    if storage.isReadOnly {
      return Finding(
        "storage", .failure, "nothing can be written where the state is kept",
        remedy: "mount it writable; when it turned so by itself, its card is worn: replace it")
    }
    let free = "\(storage.freeBytes >> 20) MiB free"
    let room = "remove what is not needed there"
    if storage.freeBytes < Self.leastFree { return Finding("storage", .failure, "only \(free)", remedy: room) }
    if storage.freeBytes < Self.usualFree { return Finding("storage", .warning, "only \(free)", remedy: room) }
    return Finding("storage", .good, "writable, \(free)")
  }

  var wearFinding: Finding {
    let card = "copy what it holds, and replace the card"
    if let errors = wear.errors, errors > 0 {
      return Finding(
        "card", .failure, "its file system has met \(errors) errors",
        remedy: "start it anew with fsck.mode=force on the kernel's line; when they come again, replace the card")
    }
    if wear.end == .urgent { return Finding("card", .failure, "it is at its end", remedy: card) }
    if wear.end == .warning || wear.lifeUsed ?? 0 >= Self.wornOut {
      return Finding("card", .warning, "it is near its end", remedy: card)
    }
    if let used = wear.lifeUsed { return Finding("card", .good, "at most \(used) % of its life are used up") }
    if wear.errors != nil { return Finding("card", .good, "its file system has met no errors") }
    return Finding("card", .unknown, "it does not report how worn it is")
  }

  // MARK: Memory

  var memoryFinding: Finding {
    guard let memory else { return Finding("memory", .unknown, "this system does not report it") }
    let free = "\(memory.availableBytes >> 20) of \(memory.totalBytes >> 20) MiB free"
    if memory.isLow {
      return Finding(
        "memory", .warning, "only \(free)", remedy: "stop other programs: the largest stand first in top, after M")
    }
    return Finding("memory", .good, free)
  }

  // MARK: Network

  var linkFinding: Finding {
    var (linked, faint): (String?, Int?) = (nil, nil)
    for index in 0..<links.count where links[index].hasCarrier {
      let name = Self.string(links[index].name.span)
      guard links[index].addresses != 0 else {
        if linked == nil { linked = "\(name) has no address" }
        continue
      }
      if let signal = links[index].air?.signal, signal < Self.faintSignal { faint = signal }
      if let faint {
        return Finding(
          "link", .warning, "\(name) is linked, but hears the access point faintly (\(faint) dBm)",
          remedy: "bring them nearer to each other, or use another antenna")
      }
      return Finding("link", .good, "\(name) is linked and has an address")
    }
    if let linked {
      return Finding(
        "link", .failure, linked, remedy: "check that a DHCP server answers there, or set a static address")
    }
    if let blocked = blockedFinding { return blocked }
    if links.count == 0 { return Finding("link", .unknown, "this system does not report its interfaces") }
    return Finding(
      "link", .failure, "no interface is linked",
      remedy: "plug in the network cable, or check the name and passphrase of the wireless network")
  }

  /// That a radio may not send, for a board without another link; nil when none is blocked.
  private var blockedFinding: Finding? {
    if let block = radios.wifi, block > .free {
      return Finding(
        "link", .failure, "no interface is linked, and Wi-Fi is blocked by \(Self.blocker(block))",
        remedy: Self.release(block, "rfkill unblock wifi, and set the country of the wireless network"))
    }
    if let block = radios.cellular, block > .free {
      return Finding(
        "link", .failure, "no interface is linked, and the modem is blocked by \(Self.blocker(block))",
        remedy: Self.release(block, "rfkill unblock wwan"))
    }
    return nil
  }

  private static func blocker(_ block: RadioReading.Block) -> String {
    switch block {
    case .free: "nothing"
    case .software: "software"
    case .hardware: "a switch"
    case .both: "a switch and by software"
    }
  }

  private static func release(_ block: RadioReading.Block, _ command: String) -> String {
    let hardware = "turn the radio's switch on, or its pin (W_DISABLE)"
    switch block {
    case .free, .software: return command
    case .hardware: return hardware
    case .both: return "\(hardware); then \(command)"
    }
  }

  var routeFinding: Finding {
    guard network.isSatisfied else {
      return Finding(
        "route", .failure, "there is no way out",
        remedy: "check that the router gives this board a gateway address (ip route shows it)")
    }
    let name = Self.string(network.defaultInterface.span)
    return Finding("route", .good, network.isExpensive ? "by \(name), paid by the byte" : "by \(name)")
  }

  // MARK: Watchdog

  var watchdogFinding: Finding {
    guard let watchdog else { return Finding("watchdog", .unknown, "this board has none") }
    if watchdog.hasReset {
      return Finding(
        "watchdog", .warning, "it has started the board anew: the system was stuck",
        remedy: "look for the reason in journalctl -b -1 -e")
    }
    if watchdog.isActive { return Finding("watchdog", .good, "it is fed") }
    return Finding(
      "watchdog", .warning, "it sleeps: a stuck system stays stuck",
      remedy: "set RuntimeWatchdogSec=15 in a file of /etc/systemd/system.conf.d, and reboot the board")
  }

  private static func string(_ text: Span<UInt8>) -> String {
    text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
