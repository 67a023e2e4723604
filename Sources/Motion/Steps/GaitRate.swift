/// Constants of gait detection. Those without a source were tuned on recorded walks and on other movements.
enum GaitRate {
  /// Samples a second after resampling, whatever the sensor's rate. Steps come 1 to 3.5 times a second.
  static let samples: Float = 25
  /// Samples of the window that is searched for a rhythm: 4.5 s, two strides of a slow walk.
  static let window = 112
  /// Samples between one window and the next: 0.4 s.
  static let hop = 10
  /// Samples on either side for the local mean: 2.4 s together.
  static let level = 30
  /// Values above this multiple of the median are clipped: a turn or a gesture in the middle of a walk.
  static let burst: Float = 5
  /// Samples from one step to the next: 3.6 to 1 a second, a sprint to a stroll.
  static let steps: ClosedRange<Float> = 7...25
  /// Samples from one step or stride to the next.
  static let periods = 7...48
  /// Shortest and longest lag of the autocorrelation.
  static let shortest = 3
  static let longest = 72
  /// Weight of the correlation at twice a long lag, where little of the window overlaps.
  static let far: Float = 0.35
  /// Least correlation at the shortest matching lag, as a fraction of the maximum.
  static let likeness: Float = 0.85
  /// Reduction of the regularity when it is not confirmed at twice the lag.
  static let unsure: Float = 0.15
  /// Typical steps a second, for movements of this strength in g.
  static let usualPace: Float = 1.9
  static let usualStrength: Float = 0.25
  /// Bonuses for strides: a step between two of them, and strides in the previous window.
  static let middle: Float = 0.1
  static let habit: Float = 0.1
}
