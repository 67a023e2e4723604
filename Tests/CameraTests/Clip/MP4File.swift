/// An MP4 file with a track of pictures, and maybe one of Opus, read back: boxes are found by walking, tables by their
/// own counts.
struct MP4File {
  struct Broken: Error { let what: String }

  let bytes: [UInt8]
  let topLevel: [String]
  let sizes: [UInt32]
  let keyframes: [UInt32]
  let durations: [UInt32]
  let mediaOffset: Int
  let movieDuration: UInt32
  let configuration: [UInt8]
  /// Of the track: where a pixel is shown.
  let matrix: [UInt32]
  /// The second track; nil: there is none.
  let sound: Sound?

  struct Sound: Equatable {
    var packetBytes, packets, packetTicks, preSkip, skipped, rate: Int
    var offset: Int
    var shownTicks: UInt32
  }

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let top = try Self.boxes(bytes, 0..<bytes.count)
    topLevel = top.map(\.type)
    let table = try Self.find(["moov", "trak", "mdia", "minf", "stbl"], bytes)
    func words(_ type: String, from offset: Int) throws -> [UInt32] {
      guard let box = try Self.boxes(bytes, table).first(where: { $0.type == type }) else { throw Broken(what: type) }
      return stride(from: box.body.lowerBound + offset, to: box.body.upperBound, by: 4).map { Self.word(bytes, $0) }
    }
    let size = try words("stsz", from: 4)
    sizes = Array(size.dropFirst(2))
    let keys = try words("stss", from: 4)
    keyframes = Array(keys.dropFirst())
    let runs = try words("stts", from: 4)
    durations = stride(from: 1, to: runs.count, by: 2)
      .flatMap { [UInt32](repeating: runs[$0 + 1], count: Int(runs[$0])) }
    let chunks = try words("stsc", from: 4)
    let offsets = try words("stco", from: 4)
    mediaOffset = Int(offsets[1])
    movieDuration = Self.word(bytes, try Self.find(["moov", "mvhd"], bytes).lowerBound + 16)
    let place = try Self.find(["moov", "trak", "tkhd"], bytes).lowerBound + 40
    matrix = (0..<9).map { Self.word(bytes, place + 4 * $0) }
    let description = try Self.find(["moov", "trak", "mdia", "minf", "stbl", "stsd"], bytes)
    let entry = try Self.boxes(bytes, description.lowerBound + 8..<description.upperBound)[0]
    let record = try Self.boxes(bytes, entry.body.lowerBound + 78..<entry.body.upperBound)[0]
    configuration = Array(bytes[record.body])
    sound = try Self.sound(bytes)
    let soundBytes = sound.map { $0.packets * $0.packetBytes } ?? 0
    if let sound, sound.offset != mediaOffset + sizes.reduce(0, { $0 + Int($1) }) {
      throw Broken(what: "sound's place")
    }
    guard entry.type == "avc1", record.type == "avcC", size[0] == 0, Int(size[1]) == sizes.count,
      Int(keys[0]) == keyframes.count, Int(runs[0]) * 2 + 1 == runs.count, durations.count == sizes.count,
      chunks == [1, 1, UInt32(sizes.count), 1], offsets[0] == 1, top.last?.body.lowerBound == mediaOffset,
      top.last?.body.count == sizes.reduce(soundBytes, { $0 + Int($1) })
    else { throw Broken(what: "tables contradict each other") }
  }

  /// The sets of `avcC`.
  var parameterSets: [[UInt8]] {
    var (sets, index) = ([[UInt8]](), 5)
    for mask in [31, 255] as [UInt8] {
      let count = configuration[index] & mask
      index += 1
      for _ in 0..<count {
        let length = Int(configuration[index]) << 8 | Int(configuration[index + 1])
        sets.append(Array(configuration[index + 2..<index + 2 + length]))
        index += 2 + length
      }
    }
    return sets
  }

  /// The units of every picture.
  func sampleUnits() throws -> [[[UInt8]]] {
    var offset = mediaOffset
    return try sizes.map { size in
      let end = offset + Int(size)
      var units: [[UInt8]] = []
      while offset < end {
        let length = Int(Self.word(bytes, offset))
        guard offset + 4 + length <= end else { throw Broken(what: "a unit passes its sample") }
        units.append(Array(bytes[offset + 4..<offset + 4 + length]))
        offset += 4 + length
      }
      return units
    }
  }

  /// The bytes of a packet of sound.
  func packet(_ index: Int) -> ArraySlice<UInt8> {
    let start = sound!.offset + index * sound!.packetBytes
    return bytes[start..<start + sound!.packetBytes]
  }

  private static func sound(_ bytes: [UInt8]) throws -> Sound? {
    let movie = try find(["moov"], bytes)
    let tracks = try boxes(bytes, movie).filter { $0.type == "trak" }
    guard tracks.count > 1 else { return nil }
    func inside(_ path: [String]) throws -> Range<Int> { try find(path, bytes, in: tracks[1].body) }
    let table = ["mdia", "minf", "stbl"]
    let entry = try boxes(bytes, inside(table + ["stsd"]).dropFirst(8))[0]
    let record = try boxes(bytes, entry.body.dropFirst(28))[0]
    let (sizes, times) = (try inside(table + ["stsz"]).lowerBound, try inside(table + ["stts"]).lowerBound)
    let edit = try inside(["edts", "elst"]).lowerBound
    let group = try inside(table + ["sbgp"]).lowerBound
    guard entry.type == "Opus", record.type == "dOps", record.body.count == 11,
      word(bytes, times + 8) == word(bytes, sizes + 8),
      word(bytes, group + 12) == word(bytes, sizes + 8), word(bytes, try inside(["tkhd"]).lowerBound + 12) == 2
    else { throw Broken(what: "the track of sound") }
    let place = record.body.lowerBound
    return Sound(
      packetBytes: Int(word(bytes, sizes + 4)), packets: Int(word(bytes, sizes + 8)),
      packetTicks: Int(word(bytes, times + 12)), preSkip: Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]),
      skipped: Int(word(bytes, edit + 12)), rate: Int(word(bytes, place + 4)),
      offset: Int(word(bytes, try inside(table + ["stco"]).lowerBound + 8)), shownTicks: word(bytes, edit + 8))
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func boxes(_ bytes: [UInt8], _ range: Range<Int>) throws -> [(type: String, body: Range<Int>)] {
    var (found, index) = ([(type: String, body: Range<Int>)](), range.lowerBound)
    while index < range.upperBound {
      guard index + 8 <= range.upperBound else { throw Broken(what: "a torn box") }
      let size = Int(word(bytes, index))
      guard size >= 8, index + size <= range.upperBound else { throw Broken(what: "a box of \(size) bytes") }
      found.append((String(decoding: bytes[index + 4..<index + 8], as: UTF8.self), index + 8..<index + size))
      index += size
    }
    return found
  }

  private static func find(_ path: [String], _ bytes: [UInt8], in whole: Range<Int>? = nil) throws -> Range<Int> {
    var range = whole ?? 0..<bytes.count
    for name in path {
      guard let box = try boxes(bytes, range).first(where: { $0.type == name }) else { throw Broken(what: name) }
      range = box.body
    }
    return range
  }
}
