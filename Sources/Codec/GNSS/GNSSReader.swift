/// Finds messages in the byte stream of a position receiver: NMEA 0183 sentences, UBX frames, and RTCM 3 frames, which
/// are only counted. They may come in any order, with noise between them.
///
/// After a false start the search continues inside it, so that noise never hides what follows. The result is the same
/// however the stream is split, and nothing is allocated.
public struct GNSSReader: Sendable {
  /// Statistics so far.
  public private(set) var counters = GNSSCounters()
  /// The end of the last input, which may be the beginning of a message.
  private var window = InlineArray<3076, UInt8>(repeating: 0)
  /// Their range in the window.
  private var held = 0..<0
  private var habit = ChecksumHabit()
  /// Offset in the window of a list's next satellite, and how many are left.
  private var list = (offset: 0, left: 0)

  /// Bytes held back because they may be the beginning of a message. A message found among them is as old as these
  /// bytes, not as the input that completed it.
  public var heldBytes: Int { held.count }

  /// The line's sentences come without checksums now, so noise in them goes unnoticed.
  public var lacksChecksums: Bool { habit.isMissing }

  /// A reader; it may start anywhere in a stream.
  public init() {}

  /// Finds the next message in `input` from `index` on, and moves `index` after what was read. Call again with the same
  /// input until it returns nil, then with new input from 0.
  public mutating func next(_ input: Span<UInt8>, at index: inout Int) -> GNSSMessage? {
    let start = index
    let message = step(input, &index, isEnd: false)
    counters.bytes &+= UInt64(index - start)
    return message
  }

  /// Finds the next message in the bytes held back, when nothing follows them. Call until it returns nil. For the end
  /// of a recording, and for a line that was silent for longer than a frame takes.
  public mutating func finish() -> GNSSMessage? {
    var index = 0
    return step(Span(), &index, isEnd: true)
  }

  private mutating func step(_ input: Span<UInt8>, _ index: inout Int, isEnd: Bool) -> GNSSMessage? {
    while true {
      if list.left > 0 { return .ubx(.satellite(nextSatellite())) }
      if held.isEmpty {
        index = GNSSFrame.start(in: input, from: index)
        guard index < input.count else { return nil }
        if let message = readInput(input, &index) { return message }
      } else {
        let frame = GNSSFrame(window.span.extracting(held), isEnd: isEnd)
        if case .unfinished(let missing) = frame {
          guard index < input.count else { return nil }
          hold(input, &index, missing)
        } else if let message = readWindow(frame) {
          return message
        }
      }
    }
  }

  /// Reads what begins at `index`, or holds it when it is not whole.
  private mutating func readInput(_ input: Span<UInt8>, _ index: inout Int) -> GNSSMessage? {
    let rest = input.extracting(index...)
    let frame = GNSSFrame(rest, isEnd: false)
    if case .unfinished = frame {
      hold(input, &index, rest.count)
      return nil
    }
    index += frame.length
    guard let message = Self.read(frame, rest, &counters, &habit) else { return nil }
    if case .ubx(.satellites(let satellites)) = message {
      // A list is read from the window alone; nothing else is held meanwhile.
      for place in 0..<frame.length { window[place] = rest[place] }
      list = (UBXSatellites.listOffset, satellites.count)
    }
    return message
  }

  private mutating func readWindow(_ frame: GNSSFrame) -> GNSSMessage? {
    let start = held.lowerBound
    let message = Self.read(frame, window.span.extracting(held), &counters, &habit)
    let next = GNSSFrame.start(in: window.span.extracting(..<held.upperBound), from: start + frame.length)
    held = next..<held.upperBound
    if case .ubx(.satellites(let satellites))? = message {
      list = (start + UBXSatellites.listOffset, satellites.count)
    }
    return message
  }

  /// The message in a frame; nil, with the reason counted, when there is none.
  private static func read(
    _ frame: GNSSFrame, _ bytes: Span<UInt8>, _ counters: inout GNSSCounters, _ habit: inout ChecksumHabit
  ) -> GNSSMessage? {
    switch frame {
    case .unfinished, .noise: return nil
    case .rejected(let language, let outcome, _):
      counters.count(outcome, of: language)
      return nil
    case .accepted(.rtcm, _, _):
      counters.count(.good, of: .rtcm)
      return nil
    case .accepted(.ubx, let body, _):
      habit.frameSeen()
      let (message, outcome) = UBXMessage.read(bytes.extracting(body))
      counters.count(outcome, of: .ubx)
      return message.map { .ubx($0) }
    case .unchecked(let body, let isWhole, _):
      let text = bytes.extracting(body)
      guard NMEASentence.hasAddress(text), habit.accepts(isWhole: isWhole) else {
        counters.count(isWhole ? .badChecksum : .broken, of: .nmea)
        return nil
      }
      let (sentence, outcome) = NMEASentence.read(text)
      counters.count(outcome, of: .nmea)
      if sentence != nil { counters.nmea.unchecked &+= 1 }
      return sentence.map { .nmea($0) }
    case .accepted(.nmea, let body, _):
      let text = bytes.extracting(body)
      let (sentence, outcome) = NMEASentence.read(text)
      if outcome != .ignored { habit.checksumSeen() }
      counters.count(outcome, of: .nmea)
      if let sentence { return .nmea(sentence) }
      return VendorMessage(text).map { .vendor($0) }
    }
  }

  /// Copies input into the window: as many bytes as are missing, or the rest of a line.
  private mutating func hold(_ input: Span<UInt8>, _ index: inout Int, _ missing: Int) {
    // A line is held with the byte that is one too many.
    if held.upperBound + max(missing, GNSSFrame.lineMax + 2) > GNSSFrame.lengthMax { moveHeldToStart() }
    let first = held.isEmpty ? input[index] : window[held.lowerBound]
    var end = min(index + missing, input.count)
    if first == UInt8(ascii: "$") {
      // Up to the line's end, so that the sentence is checked once and not for each byte.
      let limit = min(index + max(GNSSFrame.lineMax + 2 - held.count, missing), input.count)
      while end < limit, input[end - 1].isInSentence { end += 1 }
    }
    for place in 0..<(end - index) { window[held.upperBound + place] = input[index + place] }
    held = held.lowerBound..<(held.upperBound + end - index)
    index = end
  }

  private mutating func moveHeldToStart() {
    for place in 0..<held.count { window[place] = window[held.lowerBound + place] }
    held = 0..<held.count
  }

  private mutating func nextSatellite() -> GNSSSatellite {
    let satellite = UBXSatellites.satellite(window.span.extracting(list.offset...))
    list = (list.offset + UBXSatellites.entryLength, list.left - 1)
    return satellite
  }
}

extension GNSSFrame {
  /// Bytes that have been handled.
  fileprivate var length: Int {
    switch self {
    case .unfinished: 0
    case .noise: 1
    case .rejected(_, _, let length): length
    case .accepted(_, _, let length): length
    case .unchecked(_, _, let length): length
    }
  }
}
