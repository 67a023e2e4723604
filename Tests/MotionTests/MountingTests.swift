import Motion
import Testing

@Suite("How a sensor is mounted")
struct MountingTests {
  private let vector = Vector3(1, 2, 3)

  private func failure(_ text: String) -> MountingError? {
    do throws(MountingError) {
      _ = try MountingMatrix(text: text.utf8.span)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "three axes turn what it feels",
    arguments: [
      ("x y z", Vector3(1, 2, 3)), ("-y x z", Vector3(-2, 1, 3)), ("+y,-x,+z", Vector3(2, -1, 3)),
      ("  -X  -Y z ", Vector3(-1, -2, 3)), ("z x y", Vector3(3, 1, 2)), ("y x -z", Vector3(2, 1, -3)),
      ("x -y -z", Vector3(1, -2, -3)),
    ])
  func turns(text: String, turned: Vector3) throws {
    #expect(try MountingMatrix(text: text.utf8.span).apply(vector) == turned)
  }

  @Test("as it is unless said otherwise")
  func usual() throws {
    #expect(MountingMatrix().apply(vector) == vector)
    #expect(try MountingMatrix(text: "x y z".utf8.span) == MountingMatrix())
    #expect(try MountingMatrix(text: "-y x z".utf8.span) != MountingMatrix())
  }

  @Test("exactly 24 ways are taken, and each is a rotation; the others of 48 are mirrors")
  func rotations() throws {
    var ways = 0
    for axes in ["xyz", "yzx", "zxy", "xzy", "zyx", "yxz"] {
      for signs in 0..<8 {
        let text = axes.enumerated().map { (signs >> $0 & 1 == 1 ? "-" : "") + String($1) }.joined(separator: " ")
        if let failure = failure(text) {
          #expect(failure == .leftHanded)
          continue
        }
        ways += 1
        let matrix = try MountingMatrix(text: text.utf8.span)
        let (x, y, z) = (
          matrix.apply(Vector3(1, 0, 0)), matrix.apply(Vector3(0, 1, 0)), matrix.apply(Vector3(0, 0, 1))
        )
        let cross = Vector3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        #expect(cross == z)
      }
    }
    #expect(ways == 24)
  }

  @Test(
    "what is no mounting says why",
    arguments: [
      ("", MountingError.notThreeAxes), ("x y", .notThreeAxes), ("x y z x", .notThreeAxes), ("x y x", .repeatedAxis),
      ("x y -y", .repeatedAxis), ("x y w", .unknownAxis), ("x y --z", .unknownAxis), ("x y - z", .unknownAxis),
      ("x y z -", .unknownAxis), ("1 0 0", .unknownAxis), ("-x y z", .leftHanded), ("y x z", .leftHanded),
    ])
  func wrong(text: String, expected: MountingError) {
    #expect(failure(text) == expected)
    #expect(expected.text.utf8CodeUnitCount > 10)
  }
}
