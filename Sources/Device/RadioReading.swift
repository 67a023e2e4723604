import Codec

/// Whether the board's radios may send (`/sys/class/rfkill`, kernel document driver-api/rfkill).
public struct RadioReading: Equatable, Sendable {
  /// What keeps a radio off, the least first.
  public enum Block: Int, Comparable, Sendable {
    /// Nothing.
    case free
    /// A command, or a system whose country is not set yet.
    case software
    /// A switch or a pin of the board.
    case hardware
    /// A switch, and a command too.
    case both

    /// From the attributes `soft` and `hard`, and for kernels without these `state` (0: soft, 1: none, 2: hard). What
    /// is unknown does not block.
    public init(soft: Int64?, hard: Int64?, state: Int64?) {
      if soft == nil, hard == nil {
        self = state == 0 ? .software : state == 2 ? .hardware : .free
      } else if soft == 1 {
        self = hard == 1 ? .both : .software
      } else {
        self = hard == 1 ? .hardware : .free
      }
    }

    public static func < (left: Block, right: Block) -> Bool { left.rawValue < right.rawValue }
  }

  /// The least block of all Wi-Fi radios; nil where none is reported.
  public var wifi: Block?
  /// The same of cellular modems.
  public var cellular: Block?

  /// No radio is reported.
  public init() {}

  /// Adds a radio of this kind; other kinds are no networks.
  public mutating func add(_ block: Block, of kind: InterfaceKinds) {
    switch kind {
    case .wifi: wifi = min(wifi ?? block, block)
    case .cellular: cellular = min(cellular ?? block, block)
    default: break
    }
  }
}

extension InterfaceKinds {
  /// The kind by the attribute `type` of a radio switch (rfkill): Bluetooth, GPS, NFC and the like are no networks.
  public init(radio text: Span<UInt8>) {
    let word = text.trimmed
    if word.matches("wlan") {
      self = .wifi
    } else {
      self = word.matches("wwan") ? .cellular : .other
    }
  }
}
