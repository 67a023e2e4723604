import ArgumentParser
import Board
import Canvas
import Foundation
import Graphics

/// How texts are divided into lines, for a comparison with another program (board/tests/languages.sh).
struct LinesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lines", abstract: "Divides texts into lines as the canvas does, and tells how wide each is.",
    discussion: """
      Prints a line for each: the number of the text, the width in 1/64 pixel without its blanks, and the text, with
      tabs between.
      """)

  @Argument(help: "Texts, one a line.")
  var file: String

  @Option(help: "Pixels of the em square.")
  var size: Int16 = 20

  @Option(help: "Pixels of the longest line.")
  var width: Int32 = 400

  @Option(help: "A folder of font files; may be given more than once.")
  var fonts: [String] = []

  func run() throws {
    let texts = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let shelf = try FontShelf(packs: FontPacks(folders: fonts))
    let flow = TextFlow(measurer: shelf)
    let blank = shelf.advance(of: " ".utf8.span, in: Font(size: size))
    for (number, text) in texts.enumerated() {
      let bytes = Array(text.utf8)
      flow.forEachLine(of: bytes.span, in: Font(size: size), width: width) { line, advance in
        let blanks = Int32(clamping: line.count { $0 == 0x20 })
        print(number, advance - blanks * blank, String(decoding: line, as: UTF8.self), separator: "\t")
      }
    }
  }
}
