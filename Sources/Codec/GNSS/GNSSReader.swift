/// Finds what a position receiver says in the bytes of its serial line: sentences of NMEA 0183, frames of UBX, and
/// frames of RTCM 3, which are only counted. They may stand in any order, with noise between them.
///
/// What begins like a sentence or a frame and is none is given up alone: the search goes on inside it, so that noise
/// never swallows what follows. It reads the same wherever the stream is cut, and allocates nothing.
public struct GNSSReader: Sendable {
  /// What became of the bytes so far.
  public private(set) var counters = GNSSCounters()
  /// Bytes that an input ended with and that may be the beginning of something.
  private var window = InlineArray<3076, UInt8>(repeating: 0)
  /// Where in the window they stand.
  private var held = 0..<0
  /// Where in the window the next satellite of a list stands, and how many are left.
  private var list = (offset: 0, left: 0)

  /// How many of the last bytes are held back because they may be the beginning of something. What a false start has
  /// held back is as old as these bytes, and not as new as those that expose it.
  public var heldBytes: Int { held.count }

  /// A reader at any place of a stream.
  public init() {}

  /// Finds the next message in `input` from `index` on, and moves `index` behind what was read. Call again with the
  /// same input until it says nil, then with new input from 0.
  public mutating func next(_ input: Span<UInt8>, at index: inout Int) -> GNSSMessage? {
    let start = index
    let message = step(input, &index, isEnd: false)
    counters.bytes &+= UInt64(index - start)
    return message
  }

  /// Finds the next message in what is held back because it may go on, now that nothing follows. Call until it says
  /// nil. For the end of a recording, and for a line that has been silent for longer than a frame takes.
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
    guard let message = Self.read(frame, rest, &counters) else { return nil }
    if case .ubx(.satellites(let satellites)) = message {
      // The list is read from the window; nothing is held while there is input.
      for place in 0..<frame.length { window[place] = rest[place] }
      list = (UBXSatellites.listOffset, satellites.count)
    }
    return message
  }

  private mutating func readWindow(_ frame: GNSSFrame) -> GNSSMessage? {
    let start = held.lowerBound
    let message = Self.read(frame, window.span.extracting(held), &counters)
    let next = GNSSFrame.start(in: window.span.extracting(..<held.upperBound), from: start + frame.length)
    held = next..<held.upperBound
    if case .ubx(.satellites(let satellites))? = message {
      list = (start + UBXSatellites.listOffset, satellites.count)
    }
    return message
  }

  /// What a frame says; nil when that is nothing, and then it is counted why.
  private static func read(
    _ frame: GNSSFrame, _ bytes: Span<UInt8>, _ counters: inout GNSSCounters
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
      let (message, outcome) = UBXMessage.read(bytes.extracting(body))
      counters.count(outcome, of: .ubx)
      return message.map { .ubx($0) }
    case .accepted(.nmea, let body, _):
      let (sentence, outcome) = NMEASentence.read(bytes.extracting(body))
      counters.count(outcome, of: .nmea)
      return sentence.map { .nmea($0) }
    }
  }

  /// Takes bytes of the input into the window, as many as are missing, or the rest of a line.
  private mutating func hold(_ input: Span<UInt8>, _ index: inout Int, _ missing: Int) {
    if held.upperBound + max(missing, GNSSFrame.lineMax) > GNSSFrame.lengthMax { moveHeldToStart() }
    let first = held.isEmpty ? input[index] : window[held.lowerBound]
    var end = min(index + missing, input.count)
    if first == UInt8(ascii: "$") {
      // Whatever ends the line, the frame is looked at once for all of it.
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
  /// Bytes that are done with.
  fileprivate var length: Int {
    switch self {
    case .unfinished: 0
    case .noise: 1
    case .rejected(_, _, let length): length
    case .accepted(_, _, let length): length
    }
  }
}
