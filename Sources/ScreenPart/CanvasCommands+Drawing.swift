import Canvas
import Codec
import Graphics
import Node
import Runtime

// Drawings by coordinates, and what people do on them.

extension CanvasCommands {
  /// The page of the drawing is shown until a push or another page.
  func draw(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(CanvasError) {
    do throws(DrawingError) {
      try drawing.take(parameters)
    } catch {
      return router.fail(token, error)
    }
    navigation.replace()
    answer(token, when: face.show(drawing)) { Self.writeOK(to: &$0) }
  }
}

extension CanvasCommands: VideoStreamDelegate {
  func videoChanged() { face.changed(drawing) }
}

extension CanvasCommands: DrawingDelegate {
  func touched(_ action: UnsafeBufferPointer<UInt8>) { _ = acted(action) }

  /// A program at the board gets the picture within the action, the agent beside its message.
  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>) {
    guard author.isLocal, let canvasSocket else {
      delegate?.sketched(action, png, session: author.session.span)
      return
    }
    canvasSocket.act(JSONView(Span(_unsafeElements: action)), png: png)
  }
}
