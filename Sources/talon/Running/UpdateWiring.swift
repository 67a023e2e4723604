import Board
import Device
import Fetch
import Gateway
import Runtime
import UpdatePart
import Updates

/// What updates need of this board; nothing where nothing is configured and the board has one system only.
struct UpdateWiring {
  let configuration: Configuration
  let loop: Loop
  let clock: SystemClock

  func board(serial: DeviceText) throws(Failure) -> UpdateBoard? {
    let folder = configuration.stateDirectory + "/update"
    let files = UpdateFolder(folder: folder, system: configuration.runtimeDirectory + "-system")
    guard configuration.update.isConfigured || hasSlots(files) else { return nil }
    let settings = configuration.update
    let authorities = CertificateAuthorities(
      path: settings.authorities, absence: CertificateAuthorities.noUpdateAuthorities)
    let known = known(settings)
    let link = {
      FetchLink(loop: loop, clock: clock, authorities: authorities, proxy: configuration.route.proxy, known: known)
    }
    return UpdateBoard(
      files: files, bundlePath: UpdateFolder.bundlePath(folder),
      messages: link(), bundles: link(), verifier: OpenSSLCryptography(),
      store: try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.updateRecordBytes),
      serial: Self.string(serial), localOffset: { SystemClock.localOffset(at: $0) })
  }

  /// The server that is asked for updates: the only one that gets the client certificate. Bundles may be with another,
  /// which must not learn who the board is.
  private func known(_ settings: UpdateSettings) -> FetchLink.KnownServer? {
    let address = settings.server.isEmpty ? settings.list : settings.server
    guard !settings.certificate.isEmpty, let url = try? WebURL(address.utf8.span) else { return nil }
    let certificate = ClientCertificate(certificate: settings.certificate, key: settings.key, section: .update)
    return FetchLink.KnownServer(
      host: url.host, port: url.port,
      authorities: CertificateAuthorities(
        path: settings.authorities, certificate: certificate, absence: CertificateAuthorities.noUpdateAuthorities))
  }

  private func hasSlots(_ files: UpdateFolder) -> Bool {
    let text = FixedBuffer(capacity: Budget.updateReportBytes)
    guard let count = try? files.read(.slot, into: text.bytes) else { return false }
    return SlotReport(UnsafeBufferPointer(text.bytes).extracting(0..<count).span) != nil
  }

  /// `[update]` with the board's id at the server: the configured one, or one of the board's name and serial number, or
  /// of its name and the node's id.
  func settings(name: String, serial: DeviceText, node: InlineArray<64, UInt8>) -> UpdateSettings {
    var settings = configuration.update
    if settings.name.isEmpty {
      let number = serial.isEmpty ? String(decoding: Self.bytes(node).prefix(12), as: UTF8.self) : Self.string(serial)
      settings.name = Self.word(name + "-" + number)
    }
    return settings
  }

  /// As much as may stand in an address.
  private static func word(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8.prefix(Budget.updateNameBytes) {
      let isKept = InlineText<64>(cutting: String(decoding: [byte], as: UTF8.self)).isWord
      bytes.append(isKept ? byte : UInt8(ascii: "-"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func bytes(_ id: InlineArray<64, UInt8>) -> [UInt8] { id.span.withUnsafeBufferPointer { Array($0) } }

  private static func string(_ text: DeviceText) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
