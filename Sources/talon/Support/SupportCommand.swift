import Board
import Codec
import Runtime

/// `talon support`: one file with what somebody needs who helps from afar.
enum SupportCommand {
  private static let usualName = "talon-support.tar.gz"

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let word = options.value("--out") ?? usualName
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    let output = try PersonFile.create(word)
    // The file is the person's; what goes into it may be read with the agent's rights only.
    try ConfigCommand.become(configuration)
    guard let file = Gzip.pack(SupportFiles(configuration, path: options.configurationPath).archive()) else {
      throw Failure(.system, "there is too little memory to compress it")
    }
    do throws(Errno) {
      try file.withUnsafeBytesOf { (bytes) throws(Errno) in try Syscall.writeAll(output, bytes) }
    } catch {
      throw Failure(.cannotCreate, "\(word) cannot be written: \(String(error.text))")
    }
    if word == "-" { return .ok }
    output.close()
    Console.show("\(word): \(file.count) bytes; it has no secrets, but names, addresses and the log of this board")
    return .ok
  }
}

extension [UInt8] {
  fileprivate func withUnsafeBytesOf(_ body: (UnsafeRawBufferPointer) throws(Errno) -> Void) throws(Errno) {
    let failure = withUnsafeBytes { bytes -> Errno? in
      do throws(Errno) { try body(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }
}
