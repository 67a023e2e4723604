#if TALON_SCRIPT
  import Agent
  import Board
  import Canvas
  import Runtime
  import Script

  /// The thread that scripts run on, and their way to the loop.
  final class ScriptThread {
    let pool: WorkerPool
    let door: LoopDoor

    /// Starts the thread. After `Signals`, as all of them.
    init(loop: Loop) throws(Errno) {
      pool = try WorkerPool(loop: loop, threads: 1, queue: 1, stack: Budget.scriptThreadStackBytes)
      door = try LoopDoor(loop: loop)
    }

    /// What the agent needs of it.
    func parts(allowsActions: Bool) throws(Errno) -> ScriptParts {
      ScriptParts(
        runner: pool, caller: door, outlines: try FontShelf(), pictures: ScriptPictures(), allowsActions: allowsActions)
    }

    /// Joins the thread.
    func stop() {
      door.close()
      pool.stop()
    }
  }

  /// Decodes what scripts bring along.
  private final class ScriptPictures: PictureReader {
    func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
      do throws(PictureFault) {
        return try PictureDecoder.decode(bytes, PictureLimit(wanted: Size(1920, 1080)))
      } catch {
        return nil
      }
    }
  }
#endif
