import Board
import Canvas
import Runtime

#if TALON_SCRIPT
  import Script
#endif

/// The names under which the agent runs this program again, confined: not for people, and in no list of commands.
enum ConfinedCommand {
  /// The exit code of such a process; nil: these words are a person's.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 1 else { return nil }
    #if TALON_CANVAS
      if words[0] == PictureProcess.name { return PictureServer.run() }
    #endif
    #if TALON_SCRIPT
      if words[0] == ScriptProcess.name { return runScripts() }
    #endif
    return nil
  }

  #if TALON_SCRIPT
    private static func runScripts() -> Int32 {
      var fonts: FontShelf?
      do throws(Errno) { fonts = try FontShelf() } catch {}
      return ScriptServer.run(outlines: fonts, pictures: ScriptPictures())
    }
  #endif
}
