import Codec
import Runtime
import Testing

@testable import Sound

/// Controls of mixers in every combination that drivers have.
@Suite struct MixerControlTests {
  /// A volume of 0 to 200 at 50, decibels from -60 to 0 at -30, and a switch that is on.
  private func control(
    _ name: String = "Mic", volume: Bool = true, decibels: Bool = true, switch hasSwitch: Bool = true
  ) -> MixerControl {
    var control = MixerControl()
    control.name = SoundName(cutting: name)
    if volume { (control.hasVolume, control.most, control.step) = (true, 200, 50) }
    if volume, decibels { (control.hasDecibels, control.leastDecibels, control.decibels) = (true, -6000, -3000) }
    if hasSwitch { (control.hasSwitch, control.isOn) = (true, true) }
    return control
  }

  @Test("what is there tells its value, and what cannot be read tells none")
  func values() {
    #expect(control().percent == 25 && !control().isMuted)
    #expect(control(volume: false).percent == nil)
    var unread = control()
    (unread.step, unread.decibels, unread.isOn) = (nil, nil, nil)
    #expect(unread.percent == nil && !unread.isMuted)
    var off = control(volume: false)
    off.isOn = false
    #expect(off.isMuted && !control(switch: false).isMuted)
  }

  @Test(
    "a range that is none, and a step outside it, have no percentage and do not trap",
    arguments: [
      (0, 0, 0, nil), (5, 1, 3, nil), (0, 10, 11, nil), (0, 10, -1, nil), (-100, 0, -25, 75),
      (Int64.min, Int64.max, 0, nil), (0, Int64.max, 7, nil), (Int64(Int32.min), Int64(Int32.max), 0, 50),
    ] as [(Int64, Int64, Int64, Int?)])
  func ranges(least: Int64, most: Int64, step: Int64, percent: Int?) {
    var odd = control()
    (odd.least, odd.most, odd.step) = (least, most, step)
    #expect(odd.percent == percent)
    #expect(odd.change(to: .percent(0)).step == least && odd.change(to: .percent(100)).step == most)
  }

  @Test("a level sets what the control has, and tells what it lacks")
  func changes() {
    typealias Change = MixerControl.Change
    let rows: [(volume: Bool, decibels: Bool, hasSwitch: Bool, level: MixerLevel, change: Change)] = [
      (true, true, true, .percent(50), Change(step: 100, isOn: true)),
      (true, true, true, .percent(0), Change(step: 0, isOn: false)),
      (true, true, true, .decibels(-600), Change(decibels: -600, isOn: true)),
      (true, true, true, .decibels(900), Change(decibels: 0, isOn: true)),
      (true, true, true, .decibels(-9000), Change(decibels: -6000, isOn: true)),
      (true, false, false, .percent(50), Change(step: 100)),
      (true, false, true, .decibels(-600), Change(isOn: true, lack: "that counts in dB")),
      (false, false, true, .percent(50), Change(isOn: true, lack: "with a volume")),
      (false, false, true, .percent(100), Change(isOn: true)), (false, false, true, .percent(0), Change(isOn: false)),
      (false, false, true, .decibels(-600), Change(isOn: true, lack: "with a volume")),
    ]
    for row in rows {
      let control = control(volume: row.volume, decibels: row.decibels, switch: row.hasSwitch)
      #expect(control.change(to: row.level) == row.change, "\(row)")
    }
    // A value that cannot be read can be set still.
    var unread = control()
    (unread.step, unread.decibels, unread.isOn) = (nil, nil, nil)
    #expect(unread.change(to: .percent(50)) == Change(step: 100, isOn: true))
  }

  /// The name of the control that an order gets.
  private func chosen(
    _ controls: [MixerControl], named wanted: String = "", captures: Bool = true, _ level: MixerLevel?
  ) -> Int? {
    var best: (index: Int, rank: Int)?
    for (index, control) in controls.enumerated() {
      guard let rank = control.rank(for: SoundName(cutting: wanted), captures: captures, level) else { continue }
      if best == nil || rank < best!.rank { best = (index, rank) }
    }
    return best?.index
  }

  @Test("the usual control is chosen, but one that has what a level needs before it")
  func choice() {
    let switchAlone = control("Mic", volume: false)
    let volumeAlone = control("Capture", decibels: false, switch: false)
    let boost = control("Mic Boost")
    let enumerated = control("Input Source", volume: false, switch: false)
    let effect = control("Auto Gain Control", volume: false)
    let all = [enumerated, effect, boost, volumeAlone, switchAlone]
    #expect(chosen(all, nil) == 4)
    #expect(chosen(all, .percent(50)) == 3)
    #expect(chosen(all, .decibels(-600)) == 2)
    #expect(chosen([switchAlone, effect], .percent(50)) == 0)
    #expect(chosen([enumerated, effect], .percent(50)) == nil && chosen([effect], nil) == nil)
    #expect(chosen([boost], nil) == 0)
    // The name that the configuration gives counts, and of several with it the one that fits.
    #expect(chosen(all, named: "Mic Boost", .percent(50)) == 2 && chosen(all, named: "Mic", .percent(50)) == 4)
    #expect(chosen(all, named: "Input Source", .percent(50)) == nil && chosen(all, named: "Nothing", nil) == nil)
    #expect(chosen([control("Mic", volume: false), control("Mic")], named: "Mic", .percent(50)) == 1)
    // Playback has other names.
    let plays = [control("Mic"), control("PCM"), control("Master", volume: false)]
    #expect(chosen(plays, captures: false, nil) == 2 && chosen(plays, captures: false, .percent(9)) == 1)
  }

  @Test("a control that may not be changed is no missing group, and says its name")
  func locked() {
    let error = SoundError.lockedControl(SoundName(cutting: "Mic"))
    #expect("\(error.wire.text)".contains("locked") && !"\(error.wire.text)".contains("group"))
    var line = InlineText<256>()
    line.fill { bytes in
      var writer = ByteWriter(into: bytes)
      error.writeDetail(to: &writer)
      return writer.count
    }
    let isWhole = line.equals("Mic".utf8.span)
    #expect(isWhole)
  }
}
