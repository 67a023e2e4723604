import Codec
import Runtime

/// The values of all series at one instant, in fixed point. What a board does not know, or does not have, is absent.
public struct MetricValues: Sendable {
  /// Stands for a value that is not known.
  public static let absent = Int64.min
  /// Parts of a unit, for all but positions: thousandths (milliseconds, millivolts), which every counter below
  /// 9 * 10^15 fits.
  static let parts: Double = 1_000
  /// The same for degrees of a position: a millionth is a decimeter.
  static let fineParts: Double = 1_000_000

  private var fixed = InlineArray<96, Int64>(repeating: Self.absent)

  /// All are absent.
  public init() {}

  /// A value in fixed point.
  subscript(index: Int) -> Int64 {
    get { fixed[index] }
    set { fixed[index] = newValue }
  }

  /// Parts of a unit of this series.
  static func parts(of metric: Metric) -> Double {
    metric == .latitude || metric == .longitude ? fineParts : parts
  }

  /// A value; nil is absent. Not a finite number is absent, and a very large one is the largest that can be kept.
  public mutating func set(_ metric: Metric, _ value: Double?) {
    guard let value, value.isFinite else { return fixed[metric.rawValue] = Self.absent }
    let scaled = (value * Self.parts(of: metric)).rounded()
    fixed[metric.rawValue] = Int64(clamping: scaled)
  }

  /// The same for a count.
  public mutating func set(_ metric: Metric, _ value: UInt64?) { set(metric, value.map { Double($0) }) }

  /// 1 or 0; nil is absent.
  public mutating func set(_ metric: Metric, _ value: Bool?) { set(metric, value.map { $0 ? 1.0 : 0.0 }) }

  /// The value as it is sent; nil when it is absent.
  public func value(_ metric: Metric) -> Double? {
    let value = fixed[metric.rawValue]
    return value == Self.absent ? nil : Double(value) / Self.parts(of: metric)
  }
}
