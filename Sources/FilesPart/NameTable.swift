import Runtime

/// The names in a folder, in the order of their bytes, in memory of a fixed size.
struct NameTable {
  private let names: UnsafeMutableBufferPointer<UInt8>
  /// For each name where it begins, as 32 bits.
  private let index: UnsafeMutableRawBufferPointer
  private var used = 0
  /// Names that found room.
  private(set) var count = 0
  /// There were more.
  private(set) var isFull = false

  /// A table in memory that outlives it.
  init(names: UnsafeMutableBufferPointer<UInt8>, index: UnsafeMutableRawBufferPointer) {
    self.names = names
    self.index = index
  }

  /// Adds a name; false when there is no room for it.
  mutating func add(_ name: UnsafePointer<CChar>) -> Bool {
    var length = 0
    while name[length] != 0 { length += 1 }
    guard 4 * (count + 1) <= index.count, used + length < names.count else {
      isFull = true
      return false
    }
    index.storeBytes(of: UInt32(truncatingIfNeeded: used), toByteOffset: 4 * count, as: UInt32.self)
    for place in 0...length { names[used + place] = UInt8(bitPattern: name[place]) }
    used += length + 1
    count += 1
    return true
  }

  /// Sorts by bytes, as `LC_ALL=C sort` does.
  func sort() {
    HeapSort.sort(count, by: { precedes($0, $1) }, swap: { swap($0, $1) })
  }

  private func swap(_ left: Int, _ right: Int) {
    let (first, second) = (start(left), start(right))
    index.storeBytes(of: second, toByteOffset: 4 * left, as: UInt32.self)
    index.storeBytes(of: first, toByteOffset: 4 * right, as: UInt32.self)
  }

  /// The name at a place.
  func name(_ place: Int) -> UnsafeBufferPointer<UInt8> {
    let begin = Int(start(place))
    var end = begin
    while names[end] != 0 { end += 1 }
    return UnsafeBufferPointer(rebasing: names[begin..<end])
  }

  private func start(_ place: Int) -> UInt32 { index.load(fromByteOffset: 4 * place, as: UInt32.self) }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    var (first, second) = (Int(start(left)), Int(start(right)))
    while names[first] == names[second], names[first] != 0 {
      first += 1
      second += 1
    }
    return names[first] < names[second]
  }
}
