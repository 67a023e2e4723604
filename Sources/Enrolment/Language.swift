/// A language in which phrases are spoken by synthetic voices.
public struct Language: Equatable, Sendable {
  /// Its tag, as "de", and its name for people.
  public var tag: String
  public var name: String
  /// espeak-ng's voices that speak it.
  public var voices: [String]
  /// Lower-case letters beyond a to z that these pronounce, as code points. Other letters are pronounced without their
  /// accents.
  public var letters: [ClosedRange<UInt32>]

  public init(tag: String, name: String, voices: [String], letters: [ClosedRange<UInt32>]) {
    (self.tag, self.name, self.voices, self.letters) = (tag, name, voices, letters)
  }

  /// The built-in language, which flite's voice speaks, with espeak-ng's voices for its accents.
  public static let english = Language(
    tag: "en", name: "English", voices: ["en-us", "en-gb", "en-gb-x-rp", "en-gb-scotland", "en-us-nyc", "en-029"],
    letters: [0xDF...0xDF, 0xE6...0xE6, 0xF0...0xF0, 0xF8...0xF8, 0xFE...0xFE, 0x100...0x17F])

  /// True for a letter beyond a to z that its voices pronounce.
  func has(_ letter: UInt32) -> Bool {
    for range in letters where range.contains(letter) { return true }
    return false
  }
}
