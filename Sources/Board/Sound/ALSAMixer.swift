import CALSA
import Runtime
import Sound

/// The capture or playback controls of a sound card's mixer.
public enum ALSAMixer {
  /// A mixer control.
  public struct Control: Sendable {
    public var name: SoundName
    /// Volume in percent of its range; nil: it has no volume.
    public var percent: Int?
    /// Hundredths of a decibel; nil: unknown.
    public var decibels: Int?
    /// nil: it has no switch.
    public var isOn: Bool?
  }

  /// Controls used when the configuration names none, the best first; after them the first one that has a volume.
  private static let usual: (captures: [StaticString], plays: [StaticString]) = (
    ["Mic", "Capture", "Mic Capture", "Digital", "ADC"],
    ["Master", "PCM", "Speaker", "Headphone", "Digital", "HDMI"]
  )

  /// Calls `body` for each control of a card.
  public static func forEach(of card: SoundCard, captures: Bool, _ body: (Control) -> Void) throws(SoundError) {
    let mixer = try open(card)
    defer { tl_mixer_close(mixer) }
    forEach(mixer, captures) { _, control in body(describe(control)) }
  }

  /// Sets the control of an order, reads its switch, and stores both in `facts`. A card without a mixer still works.
  static func prepare(_ card: SoundCard, _ order: SoundOrder, captures: Bool, _ facts: inout SoundFacts) {
    do throws(SoundError) {
      let mixer = try open(card)
      defer { tl_mixer_close(mixer) }
      guard let index = find(mixer, order.control, captures) else {
        if order.level != nil || !order.control.isEmpty { throw .noControl(order.control) }
        return
      }
      if let level = order.level { try set(mixer, index, captures, level) }
      var control = tl_mixer_control()
      try ALSAStream.check(tl_mixer_look(mixer, index, captures ? 1 : 0, &control))
      facts.isMuted = control.has_switch != 0 && control.is_on == 0
    } catch {
      facts.mixerTrouble = error
    }
  }

  private static func open(_ card: SoundCard) throws(SoundError) -> OpaquePointer {
    var opened: OpaquePointer?
    try ALSAStream.check(tl_mixer_open(Int32(card.number), &opened))
    guard let opened else { throw .noMemory }
    return opened
  }

  private static func forEach(
    _ mixer: OpaquePointer, _ captures: Bool, _ body: (Int32, inout tl_mixer_control) -> Void
  ) {
    for index in 0..<Int32(Budget.mixerControls) {
      var control = tl_mixer_control()
      let result = tl_mixer_look(mixer, index, captures ? 1 : 0, &control)
      if result == -Int64(Errno.noSuchFile.number) { return }
      if result == 0 { body(index, &control) }
    }
  }

  /// The control with this name, or the usual one.
  private static func find(_ mixer: OpaquePointer, _ wanted: SoundName, _ captures: Bool) -> Int32? {
    let side: Int32 = captures ? 1 : 0
    if !wanted.isEmpty { return find(mixer, wanted.span, side) }
    let names = captures ? usual.captures : usual.plays
    for name in names {
      if let index = find(mixer, Span(_unsafeElements: name.bytes), side) { return index }
    }
    var control = tl_mixer_control()
    for index in 0..<Int32(Budget.mixerControls) {
      let result = tl_mixer_look(mixer, index, side, &control)
      if result == -Int64(Errno.noSuchFile.number) { break }
      if result == 0, control.has_volume != 0 { return index }
    }
    return nil
  }

  private static func find(_ mixer: OpaquePointer, _ name: Span<UInt8>, _ side: Int32) -> Int32? {
    let index = name.withUnsafeBufferPointer { tl_mixer_find(mixer, side, $0.baseAddress, UInt32($0.count)) }
    return index < 0 ? nil : Int32(index)
  }

  /// Sets the volume, and switches the control on: a configured level should be audible.
  private static func set(_ mixer: OpaquePointer, _ index: Int32, _ captures: Bool, _ level: MixerLevel)
    throws(SoundError)
  {
    let side: Int32 = captures ? 1 : 0
    var control = tl_mixer_control()
    try ALSAStream.check(tl_mixer_look(mixer, index, side, &control))
    if control.has_volume != 0 {
      switch level {
      case .percent(let percent):
        let value = control.least + ((control.most - control.least) * Int64(percent) + 50) / 100
        try ALSAStream.check(tl_mixer_set_volume(mixer, index, side, value))
      case .decibels(let hundredths):
        guard control.has_decibels != 0 else { throw .noControl(SoundName(cutting: "that counts in dB")) }
        let value = min(max(Int64(hundredths), control.decibels_least), control.decibels_most)
        try ALSAStream.check(tl_mixer_set_decibels(mixer, index, side, value))
      }
    }
    if control.has_switch != 0 {
      let isOn = level != .percent(0)
      try ALSAStream.check(tl_mixer_set_switch(mixer, index, side, isOn ? 1 : 0))
    }
  }

  private static func describe(_ control: borrowing tl_mixer_control) -> Control {
    var copy = copy control
    var percent: Int?
    if control.has_volume != 0, control.most > control.least {
      percent = Int(
        ((control.value - control.least) * 100 + (control.most - control.least) / 2)
          / (control.most - control.least))
    }
    return Control(
      name: ALSACards.text(&copy.name), percent: percent,
      decibels: control.has_decibels != 0 ? Int(control.decibels) : nil,
      isOn: control.has_switch != 0 ? control.is_on != 0 : nil)
  }
}
