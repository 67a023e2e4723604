import Runtime

/// What is wrong with a model: the file and the reason.
public struct SphinxModelError: Error {
  /// A sentence without its full stop.
  public let text: String
}

/// A model of pocketsphinx in a folder NAME, as Debian's package pocketsphinx-en-us has it: the acoustic model in
/// NAME/NAME, the language model NAME.lm.bin and the dictionary cmudict-NAME.dict, or NAME.dict.
public struct SphinxModel {
  /// The files of an acoustic model and the first bytes of each; nil: any.
  private static let acousticFiles: [(name: String, beginning: StaticString?)] = [
    ("feat.params", nil), ("mdef", "BMDF"), ("means", "s3\n"), ("variances", "s3\n"), ("transition_matrices", "s3\n"),
    ("sendump", nil),
  ]

  /// Paths for the decoder.
  public let acoustic: String
  public let language: String
  public let dictionary: String
  /// Bytes of all its files.
  public private(set) var bytes: Int64 = 0

  /// Checks a model without loading it: every file exists and begins with its magic bytes, and their total size is
  /// within the limit. Other damage is found when it is loaded.
  public init(folder: String) throws(SphinxModelError) {
    var folder = folder
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    let name = String(folder.split(separator: "/").last ?? "")
    acoustic = "\(folder)/\(name)"
    language = "\(folder)/\(name).lm.bin"
    let usual = "\(folder)/cmudict-\(name).dict"
    dictionary = Self.isThere(usual) ? usual : "\(folder)/\(name).dict"
    guard Self.isThere(folder) else { throw SphinxModelError(text: "\(folder): no such folder") }
    for file in Self.acousticFiles { bytes += try Self.check("\(acoustic)/\(file.name)", file.beginning) }
    bytes += try Self.check(language, "Trie Language Model")
    bytes += try Self.check(dictionary, nil)
    guard bytes <= Int64(Budget.speechModelBytes) else {
      throw SphinxModelError(
        text: "\(folder): its files have \(bytes) bytes, and no more than \(Budget.speechModelBytes) are loaded")
    }
  }

  private static func isThere(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Syscall.status(Path(path))
      return true
    } catch {
      return false
    }
  }

  /// The size of a file after its first bytes were checked.
  private static func check(_ path: String, _ beginning: StaticString?) throws(SphinxModelError) -> Int64 {
    let (size, head) = try look(path)
    guard size > 0 else { throw SphinxModelError(text: "\(path): it is empty") }
    guard let beginning else { return size }
    for index in 0..<beginning.utf8CodeUnitCount where index >= head.count || head[index] != beginning.bytes[index] {
      throw SphinxModelError(text: "\(path): it does not begin as such a file does")
    }
    return size
  }

  /// The size of a file, and its first bytes.
  private static func look(_ path: String) throws(SphinxModelError) -> (size: Int64, head: [UInt8]) {
    do throws(Errno) {
      let file = try Syscall.open(Path(path), .read)
      defer { file.close() }
      let size = try Syscall.status(file).size
      let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
      defer { head.deallocate() }
      let count = try Syscall.readAll(file, into: head)
      return (size, Array(head[..<count]))
    } catch {
      let reason = String(decoding: error.text.bytes, as: UTF8.self)
      throw SphinxModelError(text: "\(path): \(reason)")
    }
  }
}
