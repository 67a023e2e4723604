import Codec
import Runtime

@testable import Location

/// Pages of the track: what is read is written as the same bytes, and the track goes on with it.
func checkTrackPage(_ bytes: [UInt8]) {
  let pages = TrackPages()
  guard pages.receive(3, bytes.span) else {
    pages.resume()
    return expect(pages.count == 0, "points are left of a bad page")
  }
  pages.resume()
  guard pages.count > 0 else { return }
  // Whatever is written has changed.
  pages[0] = pages[0]
  pages.pledge()
  var again = [UInt8](repeating: 0, count: TrackPages.recordBytes)
  let next = again.withUnsafeMutableBufferPointer { pages.nextPage(into: $0) }
  expect(next != nil && Array(again[..<(next?.count ?? 0)]) == bytes, "a page changes when it is read")
  let most = Budget.trackPages * Budget.trackPagePoints
  let last = pages[pages.count - 1]
  for _ in 0..<most + 1 { _ = pages.append(last) }
  expect(pages.count <= most && pages.count > most / 4, "\(pages.count) points")
  for index in 0..<pages.count where pages[index].until < pages[index].from { expect(false, "a stay of no time") }
  while pages.count > 0 { pages.removeFirst() }
}

/// Parameters of `where_was`: what is taken is a window of time.
func checkTrackRequest(_ bytes: [UInt8]) {
  guard (try? JSONValidator.check(bytes.span, depthLimit: 32)) != nil else { return }
  do throws(TrackError) {
    let request = try TrackRequest(JSONView(bytes.span))
    expect(request.from <= request.until, "\(request)")
  } catch {
    expect("\(error.wire.code)" == "INVALID_REQUEST", "refused as \(error.wire.code)")
  }
}
