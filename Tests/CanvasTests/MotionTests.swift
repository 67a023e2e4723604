import Runtime
import Testing

@testable import Canvas

@Suite("Movements")
struct MotionTests {
  @Test("one slows down to its end, and stands")
  func slows() {
    var motion = Motion(length: 200)
    #expect(motion.progress(at: 0) == Motion.whole && motion.nextFrame(after: 0) == nil)
    motion.begin(at: 1_000)
    let places = [0, 50, 100, 150, 200, 900].map { motion.progress(at: 1_000 + $0) }
    #expect(places == [0, 148, 224, 252, 256, 256])
    let early = motion.advance(to: 1_100)
    let late = motion.advance(to: 1_200)
    let after = motion.advance(to: 1_300)
    #expect(early && late && !after && !motion.isMoving)
  }

  @Test("a clock that is behind, or far ahead, is no trouble")
  func odd() {
    var motion = Motion(length: 200)
    motion.begin(at: 1_000)
    #expect(motion.progress(at: 0) == 0 && motion.progress(at: .max) == Motion.whole)
  }
}
