import Codec
import Runtime

/// The sound of a sentence from the response to `talk.speak` (node-commands 7.3): 16-bit samples, one channel, at the
/// received rate. Only base64, the header of a WAV file, and µ-law are decoded.
public final class SpeechClip {
  private let storage: ReservedBuffer
  /// Number of samples, and samples a second.
  public private(set) var count = 0
  public private(set) var rate = 0

  /// Reserves the room of the longest sentence.
  @export(interface)
  public init() throws(Errno) {
    // µ-law needs room to expand, so its base64 is decoded after that; other sound is decoded in place.
    storage = try ReservedBuffer(capacity: Budget.speechBytes + Budget.speechBytes / 2)
  }

  /// The samples, valid until the next `read` or `clear`.
  public var samples: UnsafeBufferPointer<Int16> {
    UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self))[..<count])
  }

  /// Releases the memory.
  public func clear() {
    (count, rate) = (0, 0)
    storage.release()
  }

  /// Takes sound synthesized on the board, truncated to the available room.
  public func take(_ samples: UnsafeBufferPointer<Int16>, rate: Int) {
    clear()
    let output = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    count = min(samples.count, Budget.speechBytes / 2)
    self.rate = rate
    for index in 0..<count { output[index] = samples[index] }
  }

  /// Reads the response to a `talk.speak` that requested `pcm_<asked>`. The encoding is taken from, in this order: a
  /// WAV header, `outputFormat`, `mimeType`, `fileExtension`.
  @export(interface)
  public func read(_ payload: borrowing JSONView, asked: Int) throws(SoundFormError) {
    clear()
    guard let audio = payload.member("audioBase64"), let length = audio.stringLength, length > 0 else { throw .empty }
    let bytes = try decode(audio, length)
    if Span(_unsafeElements: bytes).isWave { return try take(wave: bytes) }
    let form = try Self.form(of: payload, asked: asked)
    switch form.code {
    case .pcm16: try keep(bytes, rate: form.rate, channels: 1, bits: 16)
    case .ulaw: try expand(bytes, rate: form.rate)
    }
  }

  private static func form(of payload: borrowing JSONView, asked: Int) throws(SoundFormError) -> SoundForm {
    var text = InlineText<64>()
    if let name = payload.member("outputFormat"), name.kind == .string {
      guard text.fill({ name.copyString(into: $0) }) else { throw .unknown(InlineText(cutting: "a long name")) }
      return try SoundForm.named(text.span)
    }
    if let type = payload.member("mimeType"), type.kind == .string {
      guard text.fill({ type.copyString(into: $0) }) else { throw .unknown(InlineText(cutting: "a long type")) }
      if let form = try SoundForm.typed(text.span, asked: asked) { return form }
    }
    if let suffix = payload.member("fileExtension"), suffix.kind == .string {
      if suffix.equals(".pcm") || suffix.equals("pcm") || suffix.equals(".raw") {
        return try SoundForm(.pcm16, rate: SoundForm.checked(asked))
      }
      guard text.fill({ suffix.copyString(into: $0) }) else { throw .unknown(InlineText(cutting: "a long suffix")) }
      throw .compressed(InlineText(cutting: text.span))
    }
    throw .unnamed
  }

  /// Decodes in place: the base64 text is longer than its content, so it is put at the end of the room.
  private func decode(_ audio: borrowing JSONView, _ length: Int) throws(SoundFormError) -> UnsafeBufferPointer<UInt8> {
    guard length <= storage.bytes.count, length / 4 * 3 <= Budget.speechBytes else { throw .tooLarge }
    let text = UnsafeMutableBufferPointer(rebasing: storage.bytes[(storage.bytes.count - length)...])
    _ = audio.copyString(into: text)
    do throws(Base64Error) {
      let count = try Base64Decoder.decode(
        Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .optional, into: storage.bytes)
      return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(storage.bytes)[..<count])
    } catch {
      throw error.kind == .noRoom ? .tooLarge : .base64(offset: error.offset)
    }
  }

  // MARK: WAV

  private func take(wave bytes: UnsafeBufferPointer<UInt8>) throws(SoundFormError) {
    let found: WAVHeader?
    do throws(WAVError) { found = try WAVHeader.read(Span(_unsafeElements: bytes)) } catch { throw .brokenWave }
    guard let header = found, header.coding == .linear else { throw .brokenWave }
    // A stream's header has no length.
    let end = header.dataBytes.map { min(header.dataOffset + $0, bytes.count) } ?? bytes.count
    try keep(
      UnsafeBufferPointer(rebasing: bytes[header.dataOffset..<end]),
      rate: SoundForm.checked(Int(clamping: header.rate)),
      channels: header.channels, bits: header.bits)
  }

  // MARK: Samples

  /// Moves samples to the front, mixing two channels. They never move backwards, so this works in place.
  private func keep(_ bytes: UnsafeBufferPointer<UInt8>, rate: Int, channels: Int, bits: Int) throws(SoundFormError) {
    guard channels == 1 || channels == 2, bits == 16 || bits == 8 else { throw .wave(channels: channels, bits: bits) }
    if bits == 8, channels == 1 { return try expand(bytes, rate: rate, isULaw: false) }
    let frame = channels * bits / 8
    let frames = bytes.count / frame
    guard frames > 0 else { throw .empty }
    let output = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    for index in 0..<frames {
      let place = index * frame
      if bits == 8 {
        output[index] = Int16((Int(bytes[place]) + Int(bytes[place + 1]) - 256) << 7)
      } else if channels == 2 {
        output[index] = Int16((bytes.sample(at: place) + bytes.sample(at: place + 2)) / 2)
      } else {
        output[index] = Int16(bytes.sample(at: place))
      }
    }
    (count, self.rate) = (frames, rate)
  }

  /// One byte becomes two: from the end, so that none is overwritten before it is read.
  private func expand(_ bytes: UnsafeBufferPointer<UInt8>, rate: Int, isULaw: Bool = true) throws(SoundFormError) {
    guard !bytes.isEmpty else { throw .empty }
    guard 2 * bytes.count <= Budget.speechBytes else { throw .tooLarge }
    let length = bytes.count
    let base = storage.bytes.baseAddress!
    // First moves the bytes to the front, over a WAV header.
    base.update(from: bytes.baseAddress!, count: length)
    let output = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    var index = length
    while index > 0 {
      index -= 1
      let byte = base[index]
      output[index] = isULaw ? G711.muLaw(byte) : Int16(Int(byte) - 128) << 8
    }
    (count, self.rate) = (length, rate)
  }
}

extension Span where Element == UInt8 {
  fileprivate var isWave: Bool { begins(with: "riff") && begins(with: "wave", at: 8) }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func little16(at index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }
  fileprivate func sample(at index: Int) -> Int { Int(Int16(truncatingIfNeeded: little16(at: index))) }
}
