import Codec
import Runtime

/// A short tone for what the board does, synthesized while it is played (node-commands 6.6): two notes up when it
/// listens, two down when it has sent, one low and twice when it could not.
public struct Chime: Sendable {
  /// The kinds of tones.
  public enum Kind: Sendable, CaseIterable { case listening, sent, failed }

  private struct Note: Sendable {
    var hertz: Double
    var milliseconds: Int
    var isRest = false
  }

  /// Milliseconds in which a note swells and fades, so that it does not click.
  private static let edge = 8

  private let notes: InlineList<4, Note>
  private let rate: Int
  private let amplitude: Double
  private var note = 0
  private var place = 0
  private var length = 0
  /// A rotating unit vector, whose y is the sample.
  private var (x, y, cosine, sine) = (1.0, 0.0, 1.0, 0.0)

  /// A tone at so many samples a second; its volume is from 0 to 1.
  public init(_ kind: Kind, rate: Int = Budget.talkRate, volume: Double) {
    var notes = InlineList<4, Note>()
    switch kind {
    case .listening:
      notes.append(Note(hertz: 659.26, milliseconds: 70))
      notes.append(Note(hertz: 987.77, milliseconds: 110))
    case .sent:
      notes.append(Note(hertz: 987.77, milliseconds: 70))
      notes.append(Note(hertz: 659.26, milliseconds: 110))
    case .failed:
      notes.append(Note(hertz: 233.08, milliseconds: 120))
      notes.append(Note(hertz: 0, milliseconds: 60, isRest: true))
      notes.append(Note(hertz: 233.08, milliseconds: 180))
    }
    self.notes = notes
    self.rate = rate
    amplitude = volume > 0 ? min(volume, 1) * 32_767 : 0
    begin()
  }

  /// Milliseconds of all of it.
  public var milliseconds: Int {
    var sum = 0
    for index in 0..<notes.count { sum += notes[index].milliseconds }
    return sum
  }

  private mutating func begin() {
    guard note < notes.count else { return }
    length = notes[note].milliseconds * rate / 1000
    let angle = 2 * Trigonometry.pi * notes[note].hertz / Double(rate)
    (cosine, sine) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
    (x, y, place) = (1, 0, 0)
  }

  /// Writes the next samples, and returns how many, fewer than the block at the end.
  public mutating func fill(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    var count = 0
    while count < block.count, note < notes.count {
      block[count] = Int16(clamping: (notes[note].isRest ? 0 : y * amplitude * envelope).rounded())
      (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
      count += 1
      place += 1
      if place == length {
        note += 1
        begin()
      }
    }
    return count
  }

  /// Linear: over 8 ms the corners are inaudible.
  private var envelope: Double {
    let edge = Self.edge * rate / 1000
    return Double(min(place, length - 1 - place, edge)) / Double(edge)
  }
}
