import Codec
import Node
import Runtime

/// The commands for files, by their numbers.
enum FileCommand: Int {
  case fetch, list, stat, write, create

  /// True for one that changes a file.
  var writes: Bool { self == .write || self == .create }
  /// True for one whose answer lies in the memory that is lent to its message.
  var lends: Bool { self == .fetch || self == .list }
}

/// One call for a file: what is asked for, and who waits. Its place is taken at start and used again.
final class FileRequest {
  /// What it does now.
  enum State { case free, waiting, running }

  var state = State.free
  /// Who waits; nil: nobody any more.
  var token: InvokeToken?
  /// Its number in the order of arrival.
  var serial: UInt64 = 0
  let path = FilePath()
  /// The number of the folder that has it.
  var folder = 0
  private(set) var command = FileCommand.stat
  /// Bytes that the answer may have.
  var limit: Int64 = 0
  private(set) var entries: Int64 = 0
  private(set) var offset: Int64 = 0
  private(set) var isPreflight = false
  private(set) var overwrites = false
  private(set) var makesParents = false
  /// The SHA-256 that the content must have, as 64 digits; empty: any.
  private(set) var expected = InlineText<64>()
  /// Characters of base64 of the content.
  private(set) var textCount = 0

  /// Reads parameters. `content` gets the base64 of what is to be written.
  func read(
    _ command: FileCommand, _ parameters: borrowing JSONView, content: ReservedBuffer?
  ) throws(FileFault) {
    self.command = command
    (textCount, limit, entries, offset) = (0, 0, Budget.listedEntries, 0)
    (isPreflight, overwrites, makesParents) = (false, false, false)
    expected.clear()
    // A refusal must not name the path of the request before.
    path.clear()
    guard let path = parameters.member("path") else {
      throw FileFault(.invalidPath, "path required: an absolute path of this board")
    }
    try self.path.read(path)
    isPreflight = parameters.member("preflightOnly")?.bool == true
    if let count = parameters.member("maxEntries")?.int64 { entries = Self.clamp(count, Budget.listedEntryRange) }
    limit = Int64(Budget.fileBytes)
    if let count = parameters.member("maxBytes")?.int64 { limit = Self.clamp(count, Budget.fileAskedBytes) }
    if command == .list, let token = parameters.member("pageToken"), !token.isNull { try readPage(token) }
    guard command.writes else { return }
    // A new file never takes the place of another.
    overwrites = command == .write && parameters.member("overwrite")?.bool == true
    makesParents = parameters.member("createParents")?.bool == true
    if self.path.hasControls {
      throw FileFault(.invalidPath, "the name of a file that is written must not have control characters")
    }
    try readExpected(parameters)
    try readContent(parameters, content)
  }

  private func readPage(_ value: borrowing JSONView) throws(FileFault) {
    var text = InlineText<16>()
    var number: Int64 = 0
    var isNumber = text.fill { value.copyString(into: $0) } && !text.isEmpty
    for index in 0..<text.count {
      let byte = text.span[index]
      if byte.isDigit { number = number * 10 + Int64(byte - 0x30) } else { isNumber = false }
    }
    guard isNumber else { throw FileFault(.invalidPath, "pageToken must be the nextPageToken of the page before") }
    offset = number
  }

  private func readExpected(_ parameters: borrowing JSONView) throws(FileFault) {
    guard let value = parameters.member("expectedSha256"), !value.isNull else { return }
    let isText = expected.fill { value.copyString(into: $0) }
    var isDigest = isText && expected.count == 64
    for index in 0..<expected.count where !Self.isHexDigit(expected.span[index]) { isDigest = false }
    guard isDigest else { throw FileFault(.integrity, "expectedSha256 must be 64 hexadecimal digits") }
  }

  private func readContent(
    _ parameters: borrowing JSONView, _ content: ReservedBuffer?
  ) throws(FileFault) {
    guard let value = parameters.member("contentBase64"), !value.isNull else {
      // A file may be created empty.
      if command == .create { return }
      throw FileFault(.invalidBase64, "contentBase64 required: the content, as base64")
    }
    guard let content, let length = value.stringLength else {
      throw FileFault(.invalidBase64, "contentBase64 must be a string")
    }
    guard length <= Budget.fileTextBytes, let count = value.copyString(into: content.bytes) else {
      throw FileFault(
        .tooLarge, "the content is too large, in bytes", Int64(length / 4 * 3), Int64(Budget.fileWriteBytes))
    }
    textCount = count
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    let letter = byte.asciiLowercased
    return byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter)
  }

  private static func clamp(_ value: Int64, _ range: ClosedRange<Int64>) -> Int64 {
    min(max(value, range.lowerBound), range.upperBound)
  }
}
