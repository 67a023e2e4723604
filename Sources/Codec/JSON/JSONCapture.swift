/// Follows a machine through a text and keeps the strings at the watched paths.
struct JSONCapture: JSONSink {
  /// One watched path and how much of it the open objects and the current key match.
  private struct Watch {
    let path: StaticString
    /// How many of the path's names are those of the open objects.
    var matched = 0
    /// Where in the path the key that is being read goes on; nil when it has left the path.
    var cursor: Int?
    var finding = JSONFinding.absent
    var length = 0

    /// True when the path's name that ends here is the path's last.
    var isAtEnd: Bool { cursor == path.utf8CodeUnitCount }

    /// True when a name of the path ends at the cursor.
    var isAtNameEnd: Bool { isAtEnd || cursor.map { path.utf8Start[$0] == UInt8(ascii: ".") } == true }

    /// Where the name begins that comes after those matched.
    var nextName: Int {
      var start = 0
      for _ in 0..<matched {
        while path.utf8Start[start] != UInt8(ascii: ".") { start += 1 }
        start += 1
      }
      return start
    }

    mutating func compare(_ piece: Span<UInt8>) {
      guard let start = cursor else { return }
      cursor = nil
      guard start + piece.count <= path.utf8CodeUnitCount else { return }
      for index in 0..<piece.count {
        let expected = path.utf8Start[start + index]
        guard piece[index] == expected, expected != UInt8(ascii: ".") else { return }
      }
      cursor = start + piece.count
    }
  }

  private var watches = InlineArray<8, Watch>(repeating: Watch(path: ""))
  private var watchCount = 0
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private let share: Int
  /// How many objects and arrays are open.
  private var depth = 0
  private var isKey = false
  /// Watches whose path goes on with the key just read, and those that keep the string being read; one bit
  /// each.
  private var onPath: UInt8 = 0
  private var keeping: UInt8 = 0

  init(share: Int, buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.share = share
    self.buffer = buffer
  }

  mutating func watch(_ path: StaticString) {
    watches[watchCount] = Watch(path: path)
    watchCount += 1
  }

  func finding(_ index: Int) -> JSONFinding { watches[index].finding }

  func string(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index * share
    return UnsafeBufferPointer(rebasing: buffer[start..<start + watches[index].length])
  }

  mutating func key() {
    isKey = true
    for index in 0..<watchCount {
      watches[index].cursor = watches[index].matched == depth - 1 ? watches[index].nextName : nil
    }
  }

  mutating func text(_ piece: Span<UInt8>) {
    if isKey {
      for index in 0..<watchCount { watches[index].compare(piece) }
    } else if keeping != 0 {
      for index in 0..<watchCount where keeping & 1 << index != 0 { keep(piece, for: index) }
    }
  }

  mutating func text(_ scalar: UInt32) {
    guard isKey || keeping != 0 else { return }
    let utf8 = UTF8Scalar(scalar)
    text(utf8.bytes)
  }

  mutating func endText() {
    keeping = 0
    guard isKey else { return }
    isKey = false
    for index in 0..<watchCount where watches[index].isAtNameEnd { onPath |= 1 << index }
  }

  mutating func value(_ kind: JSONKind) {
    if onPath != 0 {
      for index in 0..<watchCount where onPath & 1 << index != 0 { begin(kind, for: index) }
      onPath = 0
    }
    if kind == .object || kind == .array { depth += 1 }
  }

  mutating func endContainer() {
    depth -= 1
    for index in 0..<watchCount { watches[index].matched = min(watches[index].matched, max(depth - 1, 0)) }
  }

  /// Starts over: the value of an earlier member with the same name is dropped.
  private mutating func begin(_ kind: JSONKind, for index: Int) {
    watches[index].finding = .absent
    if !watches[index].isAtEnd {
      if kind == .object { watches[index].matched = depth }
    } else if kind == .string {
      watches[index].finding = .string
      watches[index].length = 0
      keeping |= 1 << index
    } else {
      watches[index].finding = .other
    }
  }

  private mutating func keep(_ piece: Span<UInt8>, for index: Int) {
    let length = watches[index].length
    guard watches[index].finding == .string, length + piece.count <= share else {
      watches[index].finding = .tooLong
      return
    }
    let start = index * share + length
    for place in 0..<piece.count { buffer[start + place] = piece[place] }
    watches[index].length = length + piece.count
  }
}
