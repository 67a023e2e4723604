import CALSA
import Sound

/// Sample formats by ALSA's numbers (`snd_pcm_format_t`).
public enum ALSAFormat {
  /// In order of preference: least conversion first, then highest resolution.
  static let all: [(number: Int32, format: SampleFormat)] = [
    (2, SampleFormat(.signed, bits: 16, bytes: 2)),
    (10, SampleFormat(.signed, bits: 32, bytes: 4)),
    (6, SampleFormat(.signed, bits: 24, bytes: 4)),
    (32, SampleFormat(.signed, bits: 24, bytes: 3)),
    (14, SampleFormat(.float, bits: 32, bytes: 4)),
    (16, SampleFormat(.float, bits: 64, bytes: 8)),
    (25, SampleFormat(.signed, bits: 20, bytes: 4)),
    (36, SampleFormat(.signed, bits: 20, bytes: 3)),
    (40, SampleFormat(.signed, bits: 18, bytes: 3)),
    (3, SampleFormat(.signed, bits: 16, bytes: 2, isBigEndian: true)),
    (11, SampleFormat(.signed, bits: 32, bytes: 4, isBigEndian: true)),
    (7, SampleFormat(.signed, bits: 24, bytes: 4, isBigEndian: true)),
    (33, SampleFormat(.signed, bits: 24, bytes: 3, isBigEndian: true)),
    (15, SampleFormat(.float, bits: 32, bytes: 4, isBigEndian: true)),
    (17, SampleFormat(.float, bits: 64, bytes: 8, isBigEndian: true)),
    (26, SampleFormat(.signed, bits: 20, bytes: 4, isBigEndian: true)),
    (37, SampleFormat(.signed, bits: 20, bytes: 3, isBigEndian: true)),
    (41, SampleFormat(.signed, bits: 18, bytes: 3, isBigEndian: true)),
    (4, SampleFormat(.unsigned, bits: 16, bytes: 2)),
    (12, SampleFormat(.unsigned, bits: 32, bytes: 4)),
    (8, SampleFormat(.unsigned, bits: 24, bytes: 4)),
    (34, SampleFormat(.unsigned, bits: 24, bytes: 3)),
    (27, SampleFormat(.unsigned, bits: 20, bytes: 4)),
    (38, SampleFormat(.unsigned, bits: 20, bytes: 3)),
    (42, SampleFormat(.unsigned, bits: 18, bytes: 3)),
    (5, SampleFormat(.unsigned, bits: 16, bytes: 2, isBigEndian: true)),
    (13, SampleFormat(.unsigned, bits: 32, bytes: 4, isBigEndian: true)),
    (9, SampleFormat(.unsigned, bits: 24, bytes: 4, isBigEndian: true)),
    (35, SampleFormat(.unsigned, bits: 24, bytes: 3, isBigEndian: true)),
    (28, SampleFormat(.unsigned, bits: 20, bytes: 4, isBigEndian: true)),
    (39, SampleFormat(.unsigned, bits: 20, bytes: 3, isBigEndian: true)),
    (43, SampleFormat(.unsigned, bits: 18, bytes: 3, isBigEndian: true)),
    (0, SampleFormat(.signed, bits: 8, bytes: 1)),
    (1, SampleFormat(.unsigned, bits: 8, bytes: 1)),
    (20, SampleFormat(.muLaw, bits: 8, bytes: 1)),
    (21, SampleFormat(.aLaw, bits: 8, bytes: 1)),
  ]

  /// The wanted format, or the best of those that a card offers (one bit per number).
  static func choose(_ offered: UInt64, wanted: SampleFormat?) -> (number: Int32, format: SampleFormat)? {
    for row in all where offered >> UInt64(row.number) & 1 == 1 {
      if wanted == nil || wanted == row.format { return row }
    }
    return nil
  }
}

extension ALSAFormat {
  /// The sample format by its name in `aplay`; nil for an unknown one.
  public static func named(_ name: String) -> SampleFormat? {
    for row in all {
      var text = ""
      row.format.write { part in part.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) } }
      if text == name { return row.format }
    }
    return nil
  }
}
