import CALSA
import Runtime
import Sound

/// The sound cards of the kernel.
public enum ALSACards {
  /// A playback or capture device of a card.
  public struct Device: Sendable {
    public var number: Int
    public var name: SoundName
  }

  /// Calls `body` for each present card.
  public static func forEach(_ body: (SoundCard) -> Void) {
    var card = tl_sound_card()
    card.number = -1
    for _ in 0..<Budget.soundCards {
      guard tl_sound_next_card(card.number, &card) == 0 else { return }
      body(
        SoundCard(
          number: Int(card.number), id: text(&card.id), name: text(&card.name), place: text(&card.place)))
    }
  }

  /// Calls `body` for each capture or playback device of a card.
  public static func forEachDevice(of card: SoundCard, captures: Bool, _ body: (Device) -> Void) {
    var device = tl_sound_device()
    device.number = -1
    for _ in 0..<Budget.soundDevices {
      guard tl_sound_next_device(Int32(card.number), captures ? 1 : 0, device.number, &device) == 0 else {
        return
      }
      body(Device(number: Int(device.number), name: text(&device.name)))
    }
  }

  /// Checks that the card and the device of an order exist, without opening them.
  public static func look(_ order: SoundOrder, captures: Bool) throws(SoundError) {
    _ = try find(order, captures: captures)
  }

  /// The card and the device of an order: the best match, and the first of several equal ones.
  static func find(_ order: SoundOrder, captures: Bool) throws(SoundError) -> (card: SoundCard, device: Int) {
    var best: (card: SoundCard, device: Int)?
    var bestMatch = 0
    var isThere = false
    forEach { card in
      let match = order.card.isEmpty ? 1 : card.match(order.card)
      guard match > bestMatch else { return }
      isThere = true
      guard let device = device(of: card, order.device, captures: captures) else { return }
      (best, bestMatch) = ((card, device), match)
    }
    if let best { return best }
    if isThere, let device = order.device { throw .noDevice(device) }
    if isThere, !order.card.isEmpty { throw .noDevice(0) }
    throw .noCard(order.card)
  }

  private static func device(of card: SoundCard, _ wanted: Int?, captures: Bool) -> Int? {
    var found: Int?
    forEachDevice(of: card, captures: captures) { device in
      if found == nil, wanted == nil || wanted == device.number { found = device.number }
    }
    return found
  }

  /// A zero-terminated C text.
  static func text<Bytes>(_ bytes: inout Bytes) -> SoundName {
    withUnsafeBytes(of: &bytes) { raw in
      var count = 0
      while count < raw.count, raw[count] != 0 { count += 1 }
      return SoundName(
        cutting: Span(
          _unsafeElements: UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[..<count])))
    }
  }
}
