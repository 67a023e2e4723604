import CALSA
import Runtime
import Sound

/// The capture or playback controls of a sound card's mixer.
public enum ALSAMixer {
  /// Calls `body` for each control of a card.
  public static func forEach(
    of card: SoundCard, captures: Bool, _ body: (MixerControl) -> Void
  ) throws(SoundError) {
    let mixer = try open(card)
    defer { tl_mixer_close(mixer) }
    forEach(mixer, captures) { _, control in body(control) }
  }

  /// Sets the control of an order, reads its switch, and stores both in `facts`. A card without a mixer still works.
  static func prepare(_ card: SoundCard, _ order: SoundOrder, captures: Bool, _ facts: inout SoundFacts) {
    do throws(SoundError) {
      let mixer = try open(card)
      defer { tl_mixer_close(mixer) }
      guard let index = find(mixer, order, captures) else {
        if order.level != nil || !order.control.isEmpty { throw .noControl(order.control) }
        return
      }
      if let level = order.level {
        do throws(SoundError) { try set(mixer, index, captures, level) } catch { facts.mixerTrouble = error }
      }
      // A control that could not be set may be muted.
      facts.isMuted = try look(mixer, index, captures).isMuted
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

  private static func forEach(_ mixer: OpaquePointer, _ captures: Bool, _ body: (Int32, MixerControl) -> Void) {
    for index in 0..<Int32(Budget.mixerControls) {
      var control = tl_mixer_control()
      let result = tl_mixer_look(mixer, index, captures ? 1 : 0, &control)
      if result == -Int64(Errno.noSuchFile.number) { return }
      // Those of enumerated elements have nothing to set.
      if result == 0 { body(index, describe(control)) }
    }
  }

  /// The control that fits an order best.
  private static func find(_ mixer: OpaquePointer, _ order: SoundOrder, _ captures: Bool) -> Int32? {
    var best: (index: Int32, rank: Int)?
    forEach(mixer, captures) { index, control in
      guard let rank = control.rank(for: order.control, captures: captures, order.level) else { return }
      if let found = best, found.rank <= rank { return }
      best = (index, rank)
    }
    return best?.index
  }

  private static func look(
    _ mixer: OpaquePointer, _ index: Int32, _ captures: Bool
  ) throws(SoundError) -> MixerControl {
    var control = tl_mixer_control()
    try ALSAStream.check(tl_mixer_look(mixer, index, captures ? 1 : 0, &control))
    return describe(control)
  }

  /// Sets volume and switch. One that fails does not keep the other from being set.
  private static func set(
    _ mixer: OpaquePointer, _ index: Int32, _ captures: Bool, _ level: MixerLevel
  ) throws(SoundError) {
    let control = try look(mixer, index, captures)
    let change = control.change(to: level)
    let side: Int32 = captures ? 1 : 0
    var volume: Int64 = 0
    if let step = change.step { volume = tl_mixer_set_volume(mixer, index, side, step) }
    if let decibels = change.decibels { volume = tl_mixer_set_decibels(mixer, index, side, decibels) }
    if let isOn = change.isOn { try check(tl_mixer_set_switch(mixer, index, side, isOn ? 1 : 0), control) }
    try check(volume, control)
    if let lack = change.lack { throw .noControl(SoundName(cutting: lack)) }
  }

  /// The kernel refuses a control that is locked or read-only as it refuses a user (EPERM, EACCES), or as a wrong
  /// value.
  private static func check(_ result: Int64, _ control: MixerControl) throws(SoundError) {
    guard result < 0 else { return }
    let reason = Errno(Int32(clamping: -result))
    if reason == .notPermitted || reason == .accessDenied || reason == .invalidArgument {
      throw .lockedControl(control.name)
    }
    throw SoundError(reason)
  }

  private static func describe(_ found: borrowing tl_mixer_control) -> MixerControl {
    var copy = copy found
    var control = MixerControl()
    control.name = ALSACards.text(&copy.name)
    control.hasVolume = copy.has_volume != 0
    (control.least, control.most) = (copy.least, copy.most)
    control.step = copy.knows_value != 0 ? copy.value : nil
    control.hasDecibels = copy.has_decibels != 0
    (control.leastDecibels, control.mostDecibels) = (copy.decibels_least, copy.decibels_most)
    control.decibels = copy.knows_decibels != 0 ? copy.decibels : nil
    control.hasSwitch = copy.has_switch != 0
    control.isOn = copy.is_on < 0 || copy.has_switch == 0 ? nil : copy.is_on != 0
    return control
  }
}
