/// Receivers that are no u-blox, by the language of their settings.
public enum VendorFamily: UInt8, Equatable, Sendable {
  /// MediaTek MT3329, MT3333, MT3339: PMTK sentences (Quectel L76, L80, L86; GlobalTop PA6H, PA1010D).
  case mediatek
  /// Zhongke AT6558 and its successors: PCAS sentences (ATGM332D, ATGM336H, Quectel L76K, Air530Z).
  case casic
  /// Airoha AG3335, AG3352: PAIR sentences, with the version by Quectel's PQTMVERNO (LC26G, LC29H, LC76G, LC86G).
  case airoha
  /// Quectel's own: PQTM sentences (LG290P, LG580P, LC29D, L89).
  case quectel
}

/// What a receiver that is no u-blox reports of itself, and its answers to settings.
public enum VendorMessage: Equatable, Sendable {
  /// Its family, and the name of its module, chip or firmware.
  case identity(VendorFamily, UBXText)
  /// Whether it accepted a command, which is named without its first four letters: "314" of PMTK314.
  case answer(VendorFamily, UBXText, isTaken: Bool)

  /// Reads a sentence whose checksum is good; nil for any other one.
  /// - Parameter body: the text between the `$` and the `*`.
  init?(_ body: Span<UInt8>) {
    do throws(NMEAMalformed) {
      guard let message = try Self.read(body) else { return nil }
      self = message
    } catch {
      return nil
    }
  }

  private static func read(_ body: Span<UInt8>) throws(NMEAMalformed) -> VendorMessage? {
    var fields = NMEAFields(body)
    let address = try fields.field()
    if address.count == 5, address.extracting(2...).matches("TXT") { return try casic(&fields) }
    if address.matches("PMTK705") { return .identity(.mediatek, try mediatekName(&fields)) }
    if address.matches("PMTK001") {
      let command = UBXText(try fields.field())
      // 0 and 1: not known to it, 2: it failed, 3: done.
      return .answer(.mediatek, command, isTaken: try fields.count() == 3)
    }
    if address.matches("PAIR001") {
      let command = UBXText(try fields.field())
      let result = try fields.count()
      // 1: it is at work, and another answer follows.
      return result == 1 ? nil : .answer(.airoha, command, isTaken: result == 0)
    }
    guard address.hasPrefix("PQTM") else { return nil }
    let command = UBXText(address.extracting(4...))
    let first = try fields.field()
    if address.matches("PQTMVERNO") {
      return first.isEmpty || first.matches("ERROR") ? nil : .identity(quectelFamily(first), UBXText(first))
    }
    if first.matches("OK") { return .answer(.quectel, command, isTaken: true) }
    return first.matches("ERROR") ? .answer(.quectel, command, isTaken: false) : nil
  }

  /// The TXT sentences that these receivers send at power-up and as the answer to PCAS06, such as
  /// `GPTXT,01,01,02,IC=AT6558-5N-31-0C510800`. Those of other makers have other words.
  private static func casic(_ fields: inout NMEAFields) throws(NMEAMalformed) -> VendorMessage? {
    // The number of texts, which one this is, and its kind.
    for _ in 0..<3 { _ = try fields.field() }
    let text = try fields.field()
    guard
      text.hasPrefix("IC=AT") || text.hasPrefix("HW=ATGM") || text.hasPrefix("SW=URANUS") || text.hasPrefix("MA=CASIC")
    else { return nil }
    return .identity(.casic, UBXText(text.extracting(3...)))
  }

  /// The module in `PMTK705,AXN_5.1.7_3333_19020118,0027,PA1010D,1.0`; old firmware has none there, and then its own
  /// name counts.
  private static func mediatekName(_ fields: inout NMEAFields) throws(NMEAMalformed) -> UBXText {
    let firmware = UBXText(try fields.field())
    _ = try fields.field()
    let module = try fields.field()
    return module.isEmpty ? firmware : UBXText(module)
  }

  /// The family of Quectel's modules with a chip of Airoha's, or of their own.
  private static func quectelFamily(_ version: Span<UInt8>) -> VendorFamily {
    let isAiroha =
      version.hasPrefix("LC26G") || version.hasPrefix("LC29H") || version.hasPrefix("LC76G")
      || version.hasPrefix("LC86G")
    return isAiroha ? .airoha : .quectel
  }
}
