import Device
import Runtime

/// Network interfaces and default routes.
extension SystemReadings {
  private var interfaces: StaticString { "/sys/class/net" }

  /// The interfaces with hardware or a default route; others are bridges and tunnels of containers.
  func readNetwork(into snapshot: inout DeviceSnapshot) {
    snapshot.network = wayOut()
    var links = DeviceLinks()
    let best = snapshot.network.defaultInterface
    tree.forEachObject(in: interfaces) { name in
      guard tree.exists(interfaces, name, "device") || best.equals(name) else { return }
      links.append(link(name))
    }
    snapshot.links = links
    snapshot.radios = radios()
  }

  private func radios() -> RadioReading {
    let folder: StaticString = "/sys/class/rfkill"
    var reading = RadioReading()
    tree.forEachObject(in: folder) { radio in
      guard let kind = tree.attribute(folder, radio, "type", { InterfaceKinds(radio: $0) }) else { return }
      let block = RadioReading.Block(
        soft: number(folder, radio, "soft"), hard: number(folder, radio, "hard"), state: number(folder, radio, "state"))
      reading.add(block, of: kind)
    }
    return reading
  }

  /// The interfaces that have a default route, and the best of them.
  private func wayOut() -> NetworkReading {
    var reading = NetworkReading()
    var least = UInt64.max
    _ = tree.file("/proc/net/route") { table in
      RoutingTable.forEachDefaultIPv4(in: table) { name, metric in
        reading.interfaces.insert(kind(of: name))
        if metric >= least { return }
        least = metric
        reading.defaultInterface = DeviceName(cutting: name)
      }
    }
    let hasIPv4 = !reading.interfaces.isEmpty
    _ = tree.file("/proc/net/ipv6_route") { table in
      RoutingTable.forEachDefaultIPv6(in: table) { name, metric in
        reading.interfaces.insert(kind(of: name))
        if hasIPv4 || metric >= least { return }
        least = metric
        reading.defaultInterface = DeviceName(cutting: name)
      }
    }
    return reading
  }

  private func link(_ name: Span<UInt8>) -> LinkReading {
    var link = LinkReading()
    link.name = DeviceName(cutting: name)
    link.index = number(interfaces, name, "ifindex").flatMap { UInt32(exactly: $0) } ?? 0
    link.kind = kind(of: name)
    // The kernel refuses this read for an interface that is down.
    link.hasCarrier = number(interfaces, name, "carrier") == 1
    link.speed = number(interfaces, name, "speed").flatMap { link.hasCarrier ? Self.speed($0) : nil }
    return link
  }

  /// Megabits a second; nil for `SPEED_UNKNOWN`, which is -1, and without its sign in drivers of 16 or 32 bits.
  private static func speed(_ number: Int64) -> Int? {
    number > 0 && number != Int64(UInt16.max) && number != Int64(UInt32.max) ? Int(exactly: number) : nil
  }

  private func kind(of interface: Span<UInt8>) -> InterfaceKinds {
    if let kind = tree.attribute(interfaces, interface, "uevent", { InterfaceKinds(uevent: $0) }) { return kind }
    if tree.exists(interfaces, interface, "wireless") || tree.exists(interfaces, interface, "phy80211") { return .wifi }
    return tree.attribute(interfaces, interface, "type") { InterfaceKinds(type: $0) } ?? .other
  }

  /// The signal by wireless extensions, where nl80211 had none.
  func readAir(into links: inout DeviceLinks) {
    for index in 0..<links.count where links[index].kind == .wifi && links[index].air?.signal == nil {
      let name = links[index].name
      let signal = tree.file("/proc/net/wireless") { AirReading.signal(of: name.span, wireless: $0) }
      guard let signal else { continue }
      var air = links[index].air ?? AirReading()
      air.signal = signal
      links[index].air = air
    }
  }
}
