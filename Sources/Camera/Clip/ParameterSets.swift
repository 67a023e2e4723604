import Runtime

/// The parameter sets of one stream: kept for the clip's header, and compared with later ones.
struct ParameterSets: ~Copyable {
  private let storage = FixedBuffer(capacity: (Budget.clipPictureSets + 1) * Budget.clipParameterSetBytes)
  /// Bytes of the sequence set, then of each picture set.
  private var counts = InlineArray<5, Int>(repeating: 0)
  /// `pic_parameter_set_id` of each picture set.
  private var ids = InlineArray<5, UInt32>(repeating: 0)
  /// Picture sets kept.
  private(set) var pictureSets = 0
  /// The parsed sequence set; nil before there is one.
  private(set) var sequence: SequenceParameters?

  /// True when a picture can be decoded.
  var isComplete: Bool { sequence != nil && pictureSets > 0 }

  /// Bytes of all sets together.
  var bytes: Int {
    var sum = 0
    for index in 0...pictureSets { sum += counts[index] }
    return sum
  }

  mutating func clear() {
    pictureSets = 0
    counts = InlineArray(repeating: 0)
    sequence = nil
  }

  /// The sequence set (0) or a picture set (1 and up).
  func set(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index * Budget.clipParameterSetBytes
    return UnsafeBufferPointer(rebasing: storage.bytes[start..<start + counts[index]])
  }

  /// Whether there is a picture set with this id.
  func hasPictureSet(_ id: UInt32) -> Bool { place(of: id) != nil }

  /// Takes a unit of kind 7. While `mayChange`, a different one replaces all sets.
  mutating func takeSequence(_ unit: UnsafeBufferPointer<UInt8>, mayChange: Bool) throws(ClipError) {
    if sequence != nil, Self.same(unit, set(0)) { return }
    guard sequence == nil || mayChange else { throw .parametersChanged }
    guard unit.count <= Budget.clipParameterSetBytes else { throw .brokenParameters }
    let read = try SequenceParameters(unit)
    clear()
    sequence = read
    keep(unit, at: 0)
  }

  /// Takes a unit of kind 8 (clause 7.3.2.2). While `mayChange`, one with the same id is replaced.
  mutating func takePicture(_ unit: UnsafeBufferPointer<UInt8>, mayChange: Bool) throws(ClipError) {
    var reader = BitReader(unit, from: 1)
    let (id, sequenceId) = (reader.unsigned(), reader.unsigned())
    guard !reader.isBroken, id <= 255, sequenceId <= 31, unit.count <= Budget.clipParameterSetBytes else {
      throw .brokenParameters
    }
    guard sequence != nil else { throw .missingParameters }
    let known = place(of: id)
    if let known, Self.same(unit, set(known)) { return }
    guard mayChange else { throw .parametersChanged }
    guard known != nil || pictureSets < Budget.clipPictureSets else { throw .brokenParameters }
    if known == nil { pictureSets += 1 }
    let index = known ?? pictureSets
    ids[index] = id
    keep(unit, at: index)
  }

  private func place(of id: UInt32) -> Int? {
    var index = 1
    while index <= pictureSets {
      if ids[index] == id { return index }
      index += 1
    }
    return nil
  }

  private mutating func keep(_ unit: UnsafeBufferPointer<UInt8>, at index: Int) {
    let start = storage.bytes.baseAddress! + index * Budget.clipParameterSetBytes
    start.update(from: unit.baseAddress!, count: unit.count)
    counts[index] = unit.count
  }

  private static func same(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    for index in 0..<one.count where one[index] != other[index] { return false }
    return true
  }
}
