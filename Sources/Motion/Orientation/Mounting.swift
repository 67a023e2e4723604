/// How a sensor is mounted: which of its axes, and with which sign, is each of the board's.
public struct MountingMatrix: Equatable, Sendable {
  /// Of the board's x, y and z: the sensor's axis (0 to 2), and 1 or -1.
  private var axes: InlineArray<3, (index: Int, sign: Float)> = [(0, 1), (1, 1), (2, 1)]

  /// The identity: x to x, y to y, z to z.
  public init() {}

  /// Three axes, such as "-y x z": the board's x is against the sensor's y, its y along the sensor's x, its z along the
  /// sensor's z. Spaces or commas are between them.
  public init(text: Span<UInt8>) throws(MountingError) {
    var (count, sign, used) = (0, Float(1), 0)
    var isSigned = false
    for position in 0..<text.count {
      switch text[position] {
      case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "\t"):
        if isSigned { throw .unknownAxis }
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        if isSigned { throw .unknownAxis }
        isSigned = true
        sign = text[position] == UInt8(ascii: "-") ? -1 : 1
      case let letter:
        guard let index = Self.axis(letter) else { throw .unknownAxis }
        if count == 3 { throw .notThreeAxes }
        if used >> index & 1 == 1 { throw .repeatedAxis }
        used |= 1 << index
        axes[count] = (index, sign)
        (count, sign, isSigned) = (count + 1, 1, false)
      }
    }
    if isSigned { throw .unknownAxis }
    if count < 3 { throw .notThreeAxes }
    if isLeftHanded { throw .leftHanded }
  }

  private static func axis(_ letter: UInt8) -> Int? {
    switch letter | 0x20 {
    case UInt8(ascii: "x"): 0
    case UInt8(ascii: "y"): 1
    case UInt8(ascii: "z"): 2
    default: nil
    }
  }

  /// True for a mirror image, whose determinant is -1: no mounting makes a left-handed system.
  private var isLeftHanded: Bool {
    let isEven = (axes[0].index + 1) % 3 == axes[1].index
    return axes[0].sign * axes[1].sign * axes[2].sign < 0 ? isEven : !isEven
  }

  /// A measurement of the sensor along the board's axes.
  public func apply(_ vector: Vector3) -> Vector3 {
    Vector3(component(0, of: vector), component(1, of: vector), component(2, of: vector))
  }

  private func component(_ axis: Int, of vector: Vector3) -> Float {
    switch axes[axis].index {
    case 0: axes[axis].sign * vector.x
    case 1: axes[axis].sign * vector.y
    default: axes[axis].sign * vector.z
    }
  }

  public static func == (left: MountingMatrix, right: MountingMatrix) -> Bool {
    for axis in 0..<3 where left.axes[axis] != right.axes[axis] { return false }
    return true
  }
}

/// Why a text is not a valid mounting.
public enum MountingError: Error, Equatable {
  case notThreeAxes, unknownAxis, repeatedAxis, leftHanded

  /// For the person who wrote it.
  public var text: StaticString {
    switch self {
    case .notThreeAxes: "must name three axes, such as \"-y x z\""
    case .unknownAxis: "must name axes x, y and z, each alone or after - or +"
    case .repeatedAxis: "names an axis twice"
    case .leftHanded: "makes a mirror image, which no way of mounting does: change one sign, or swap two axes"
    }
  }
}
