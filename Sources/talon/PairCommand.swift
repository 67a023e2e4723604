import Board
import Gateway
import Runtime

/// `talon pair`: takes a setup code of a gateway. Its content is on flash when the command ends; its secret is erased
/// after the first successful connection.
enum PairCommand {
  static func run(_ word: String?, configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(configurationPath)
    var code = try read(word)
    code.keepURLs(configuration.allows)
    guard let first = code.urls.first else {
      throw Failure(
        .configuration, "the gateway of this code speaks ws:// only, in clear; set [gateway] allow_plaintext = yes")
    }
    try check(code, against: configuration)
    let store = try StateFolder.open(configuration.stateDirectory)
    let cryptography = OpenSSLCryptography()
    let record = try StateFolder.record(for: configuration.urls.first ?? first, store, cryptography)
    code.adopt(into: record)
    try StateFolder.pair(store, record)
    report(code)
    RunningAgent.startOver(configuration)
    return .ok
  }

  private static func read(_ word: String?) throws(Failure) -> SetupCode {
    var text = word ?? ""
    if word == nil { text = try readLine() }
    do throws(SetupCodeError) {
      let code = try SetupCode(text.utf8.span)
      if code.isExpired(wall: SystemClock().wall) { throw .expired }
      return code
    } catch {
      throw Failure(.usage, "the setup code \(String(error.text))")
    }
  }

  /// The configuration and the code must name the same gateway.
  private static func check(_ code: SetupCode, against configuration: Configuration) throws(Failure) {
    guard let configured = configuration.urls.first else { return }
    if configuration.urls.contains(where: { url in code.urls.contains { $0.key == url.key } }) { return }
    throw Failure(
      .configuration,
      "the code is for \(code.urls[0].text), but [gateway] url is \(configured.text): correct url, or remove it")
  }

  private static func report(_ code: SetupCode) {
    for url in code.urls { Console.out("gateway      \(url.text)") }
    if let pin = code.pin {
      let digits = pin.hex
      Console.out("certificate  \(IdentityCommand.string(digits.span))")
    } else if code.urls.contains(where: { $0.isSecure }) {
      Console.out("certificate  the code names none: the first one seen will be trusted")
    }
    Console.out("next         talon status tells whether a person must still approve this board")
  }

  /// A line from standard input.
  private static func readLine() throws(Failure) -> String {
    Console.err("Paste the setup code, then press Enter:")
    let buffer = FixedBuffer(capacity: Budget.setupCodeBytes + 1)
    var count = 0
    do throws(Errno) {
      while count < buffer.bytes.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer.bytes)[count...])
        let read = try Syscall.read(Descriptor(0), into: rest)
        if read == 0 { break }
        count += read
        if buffer.bytes[count - 1] == UInt8(ascii: "\n") { break }
      }
    } catch {
      throw Failure(.usage, "no setup code could be read: \(String(error.text))")
    }
    return String(decoding: buffer.bytes[..<count], as: UTF8.self)
  }
}
