import Canvas
import Codec
import Fetch
import Gateway
import Node
import Runtime

extension CanvasCommands: NavigationDelegate {
  func arrived(_ token: InvokeToken, _ arrived: ArrivedPage) {
    let frame = face.show(arrived.page)
    navigatedPage = face.pageNumber
    changes?.pageArrived()
    answer(token, when: frame) { Self.writeOK(warning: arrived.omission, to: &$0) }
  }

  func failed(_ token: InvokeToken, _ error: ContentError) { router.fail(token, error) }

  func pageRefreshed(_ page: any ScreenPage) {
    guard showsHosted else { return }
    face.pictures.refresh()
    face.renew(page)
  }

  func failedAgain(_ error: ContentError) {
    log.write(.info, "canvas") { line in
      line.add("a page that has changed could not be fetched again: ")
      line.add(error.wire.code)
    }
  }
}

extension CanvasCommands: LiveReloadDelegate {
  var showsHosted: Bool { navigation.isHosted && face.isVisible(navigatedPage) }

  func reload() -> Bool { navigation.reload(face.pump.size) }
}
