import Codec
import Runtime

/// The font files of the board, by name: what the built-in faces lack is looked up in them. Only their names are read
/// at the start.
///
/// The order is that of the folders, and of the names within each, so that all shelves choose alike.
public final class FontPacks {
  private struct Pack {
    var folder: UInt8
    var start: Int16
    var count: Int16
    /// It was opened, or cannot be read.
    var isAsked = false
  }

  /// Debian's Noto packages and Symbola, which has outlines of emoji; before them what an owner has put there.
  public static let folders = [
    "/usr/share/talon/fonts", "/usr/local/share/fonts", "/usr/share/fonts/truetype/noto",
    "/usr/share/fonts/opentype/noto", "/usr/share/fonts/truetype/ancient-scripts",
  ]

  private let folders: [String]
  private let packs: UnsafeMutablePointer<Pack>
  private let names: UnsafeMutablePointer<UInt8>
  private var nameBytes = 0
  /// Files that were found.
  public private(set) var count = 0

  /// Looks into folders, which need not exist. Of more files than `Budget.fontPacks` the first are known.
  @export(interface)
  public init(folders: [String] = FontPacks.folders) {
    self.folders = folders
    packs = .allocate(capacity: Budget.fontPacks)
    names = .allocate(capacity: Budget.fontPackNameBytes)
    for folder in 0..<folders.count { list(folder) }
  }

  deinit {
    packs.deallocate()
    names.deallocate()
  }

  private func list(_ folder: Int) {
    let first = count
    do throws(Errno) {
      let files = try Syscall.open(try Path(folders[folder]), [.read, .directory])
      defer { files.close() }
      let scratch = FixedBuffer(capacity: 4096)
      try Syscall.entries(of: files, scratch: UnsafeMutableRawBufferPointer(scratch.bytes)) { name in
        self.note(name, folder)
      }
    } catch {
      // A folder that is not there has no fonts.
    }
    sort(first)
  }

  private func note(_ name: UnsafePointer<CChar>, _ folder: Int) {
    var length = 0
    while name[length] != 0 { length += 1 }
    let bytes = UnsafeBufferPointer(
      start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: length)
    guard Self.isWanted(bytes), count < Budget.fontPacks, nameBytes + length <= Budget.fontPackNameBytes else { return }
    (names + nameBytes).update(from: bytes.baseAddress!, count: length)
    packs[count] = Pack(folder: UInt8(folder), start: Int16(nameBytes), count: Int16(length))
    nameBytes += length
    count += 1
  }

  /// By their names, from one on.
  private func sort(_ first: Int) {
    let packs = self.packs + first
    HeapSort.sort(
      count - first, by: { self.comesBefore(packs[$0], packs[$1]) }, swap: { swap(&packs[$0], &packs[$1]) })
  }

  private func comesBefore(_ one: Pack, _ other: Pack) -> Bool {
    Span(_unsafeElements: name(one)).isLess(than: Span(_unsafeElements: name(other)))
  }

  private func name(_ pack: Pack) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: names + Int(pack.start), count: Int(pack.count))
  }

  /// A face to read: upright and of regular weight, where its name tells; the sans of Noto, not its other designs.
  static func isWanted(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let name = Span(_unsafeElements: name)
    guard name.hasSuffix(".ttf") || name.hasSuffix(".otf") || name.hasSuffix(".ttc") else { return false }
    if name.hasPrefix("Noto"), !name.contains("NotoSans") || !name.contains("-Regular.") { return false }
    for other in [
      "Bold", "Italic", "Oblique", "Light", "Thin", "Medium", "Black", "Condensed", "UI-", "Mono", "Display",
    ] as [StaticString] {
      if name.contains(other) { return false }
    }
    return true
  }

  // MARK: Asking

  /// The next file that was not asked yet and whose name says that it is of a script, or any; nil: there is none.
  func take(named script: StaticString?) -> Path? {
    for index in 0..<count where !packs[index].isAsked {
      let pack = packs[index]
      let name = name(pack)
      if let script, !Span(_unsafeElements: name).contains(script) { continue }
      packs[index].isAsked = true
      do throws(Errno) {
        let path = try Path(folders[Int(pack.folder)])
        try path.append("/")
        try path.append(name)
        return path
      } catch {
        continue
      }
    }
    return nil
  }

  /// How the files of a script are named: those are asked first, so that one Devanagari letter does not have two
  /// hundred files read.
  static func name(of script: UInt32) -> StaticString? {
    switch script {
    case 0x4861_6E69, 0x4869_7261, 0x4B61_6E61, 0x4861_6E67, 0x426F_706F: "CJK"  // Hani, Hira, Kana, Hang, Bopo
    case 0x4172_6162: "Arabic"
    case 0x4172_6D6E: "Armenian"
    case 0x4265_6E67: "Bengali"
    case 0x4368_6572: "Cherokee"
    case 0x436F_7074: "Coptic"
    case 0x4465_7661: "Devanagari"
    case 0x4574_6869: "Ethiopic"
    case 0x4765_6F72: "Georgian"
    case 0x4775_6A72: "Gujarati"
    case 0x4775_7275: "Gurmukhi"
    case 0x4865_6272: "Hebrew"
    case 0x4B68_6D72: "Khmer"
    case 0x4B6E_6461: "Kannada"
    case 0x4C61_6F6F: "Lao"
    case 0x4D6C_796D: "Malayalam"
    case 0x4D6F_6E67: "Mongolian"
    case 0x4D79_6D72: "Myanmar"
    case 0x4E6B_6F6F: "NKo"
    case 0x4F72_7961: "Oriya"
    case 0x5369_6E68: "Sinhala"
    case 0x5379_7263: "Syriac"
    case 0x5461_6D6C: "Tamil"
    case 0x5465_6C75: "Telugu"
    case 0x5466_6E67: "Tifinagh"
    case 0x5468_6161: "Thaana"
    case 0x5468_6169: "Thai"
    case 0x5469_6274: "Tibetan"
    default: nil
    }
  }
}
