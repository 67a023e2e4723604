import Runtime

/// The clips of a context, so that what `restore` takes back can be made again without the last ones.
final class ClipList {
  struct Clip {
    /// Around it, in pixels.
    var bounds: Rect
    /// Its points in `path`; none: it is the rectangle of its bounds.
    var first = 0
    var points = 0
    var isEvenOdd = false
  }

  let path: VectorPath
  private let clips: UnsafeMutablePointer<Clip>
  private(set) var count = 0

  init() throws(Errno) {
    path = try VectorPath()
    clips = .allocate(capacity: Budget.canvasClips)
    clips.initialize(repeating: Clip(bounds: .empty), count: Budget.canvasClips)
  }

  deinit { clips.deallocate() }

  subscript(index: Int) -> Clip { clips[index] }

  /// Adds the area of a path. False when there is no room for it: then it is the rectangle around it.
  func add(_ area: VectorPath, evenOdd: Bool) -> Bool {
    guard count < Budget.canvasClips else { return false }
    clips[count] = Clip(bounds: area.count > 0 ? area.bounds() : .empty)
    count += 1
    if area.count == 0 || area.rectangle() != nil { return true }
    guard path.count + area.count <= Budget.pathPoints else { return false }
    clips[count - 1].first = path.count
    clips[count - 1].points = area.count
    clips[count - 1].isEvenOdd = evenOdd
    for index in 0..<area.count { path.append(area[index]) }
    return true
  }

  func truncate(to count: Int) {
    while self.count > count {
      self.count -= 1
      if clips[self.count].points > 0 { path.truncate(to: clips[self.count].first) }
    }
  }
}
