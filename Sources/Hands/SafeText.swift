import Runtime

/// Text of a device or a program, for an agent.
public enum SafeText {
  /// Copies it as UTF-8 without control characters but tabs and line ends (`ShownText`), as much as there is room for.
  /// Carriage returns before line ends are left out. Returns the bytes written.
  public static func copy(
    _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (place, count) = (0, 0)
    while place < text.count {
      var length = 1
      let piece = ShownText.piece(text, at: place)
      switch piece {
      case .plain(let bytes), .control(let bytes), .direction(_, let bytes): length = bytes
      }
      let isLineEnd = text[place] == 0x0D && place + 1 < text.count && text[place + 1] == 0x0A
      // Eight bytes are the longest that a character becomes.
      guard count + 8 <= room.count else { return count }
      if !isLineEnd {
        ShownText.forEachByte(
          of: UnsafeBufferPointer(rebasing: text[place..<min(place + length, text.count)]), keepsLines: true
        ) { byte in
          room[count] = byte
          count += 1
        }
      }
      place += length
    }
    return count
  }
}
