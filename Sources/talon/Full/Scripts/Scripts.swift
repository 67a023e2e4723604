import Board
import Canvas
import Graphics
import Node
import Runtime
import ScreenPart
import Script

/// The process of scripts, the thread that waits for it, and its bridge to the loop. A build without scripts has
/// another file with this name.
final class Scripts {
  private let pool: WorkerPool
  private let bridge: LoopBridge
  private let allowsActions: Bool

  /// Starts the thread; nil without configured scripts. After `Signals`, as for all threads.
  init?(_ configuration: CanvasConfiguration, loop: Loop) throws(Errno) {
    guard configuration.hasScripts else { return nil }
    pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
    bridge = try LoopBridge(loop: loop)
    allowsActions = configuration.allowsScriptActions
  }

  /// Lets the screen run scripts.
  func connect(_ screen: inout CanvasParts) throws(Errno) {
    let parts = try parts()
    screen.scripts = { (screen, router) throws(Errno) in try EvalCommands(parts, on: screen, router: router) }
  }

  /// Scripts run in another process.
  func parts() throws(Errno) -> ScriptParts {
    ScriptParts(try ScriptProcess(caller: bridge), runner: pool, allowsActions: allowsActions)
  }

  /// Joins the thread.
  func stop() {
    bridge.close()
    pool.stop()
  }

  /// The exit code of the process of scripts; nil when `name` is another command.
  static func runConfined(_ name: String) -> Int32? {
    guard name == ScriptProcess.name else { return nil }
    var fonts: FontShelf?
    do throws(Errno) { fonts = try FontShelf() } catch {}
    return ScriptServer.run(outlines: fonts, pictures: ScriptPictures())
  }
}

/// Decodes the pictures of scripts, in their process.
final class ScriptPictures: PictureReader {
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    do throws(PictureFault) {
      return try PictureDecoder.decode(bytes, PictureLimit(wanted: Size(1920, 1080)))
    } catch {
      return nil
    }
  }
}
