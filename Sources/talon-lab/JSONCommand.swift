import ArgumentParser
import Codec
import Foundation
import Runtime

/// Accepts or refuses the JSON text on standard input, for conformance suites.
struct JSONCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json",
    abstract: "Reads a JSON text from standard input: exit code 0 when it is valid, 1 when it is not.",
    discussion: "The text may be of any size: it is read in pieces and never kept.")

  @Option(help: "How many containers may be nested.")
  var depth = Budget.jsonDepth

  func validate() throws {
    guard (1...1024).contains(depth) else { throw ValidationError("--depth must be from 1 to 1024") }
  }

  func run() throws {
    var validator = JSONValidator(depthLimit: depth)
    let input = FileHandle.standardInput
    do throws(JSONError) {
      while let piece = try? input.read(upToCount: 65_536), !piece.isEmpty {
        let bytes = [UInt8](piece)
        try validator.feed(bytes.span)
      }
      try validator.finish()
    } catch {
      LabOutput.note("refused: \(error.kind) at byte \(error.offset)")
      throw ExitCode(1)
    }
  }
}
