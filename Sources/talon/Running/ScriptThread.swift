#if TALON_SCRIPT
  import Agent
  import Board
  import Canvas
  import Runtime
  import Script

  /// The process that scripts run in, the thread that waits for it, and its way to the loop.
  final class ScriptThread {
    let pool: WorkerPool
    let door: LoopDoor

    /// Starts the thread. After `Signals`, as all of them.
    init(loop: Loop) throws(Errno) {
      pool = try WorkerPool(loop: loop, threads: 1, queue: 1)
      door = try LoopDoor(loop: loop)
    }

    /// What the agent needs of it.
    func parts(allowsActions: Bool) throws(Errno) -> ScriptParts {
      ScriptParts(try ScriptProcess(caller: door), runner: pool, allowsActions: allowsActions)
    }

    /// Joins the thread.
    func stop() {
      door.close()
      pool.stop()
    }
  }

  /// Decodes what scripts bring along, in their process.
  final class ScriptPictures: PictureReader {
    func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
      do throws(PictureFault) {
        return try PictureDecoder.decode(bytes, PictureLimit(wanted: Size(1920, 1080)))
      } catch {
        return nil
      }
    }
  }
#endif
