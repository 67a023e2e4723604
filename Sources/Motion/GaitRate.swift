/// The clockwork of the pedometer, and what it takes for a gait. The figures without a source were found by trial on
/// recorded walks and on movements that are none.
enum GaitRate {
  /// Samples a second that the pedometer works on, whatever the sensor takes. Steps come 1 to 3.5 times a second.
  static let samples: Float = 25
  /// Samples of the window in which a rhythm is looked for: 4.5 s, two strides of a slow walk.
  static let window = 112
  /// Samples between one window and the next: 0.4 s.
  static let hop = 10
  /// Samples on either side of one that tell what it is above or below: 2.4 s together.
  static let level = 30
  /// What is above this many times the median is cut: a turn or a gesture in the middle of a walk.
  static let burst: Float = 5
  /// Samples from one step to the next: 3.6 to 1 a second, a sprint to a stroll.
  static let steps: ClosedRange<Float> = 7...25
  /// Samples from one step or stride to the next.
  static let periods = 7...48
  /// Least and greatest distance at which likeness is looked at.
  static let shortest = 3
  static let longest = 72
  /// How much likeness at twice a long distance counts: there is little of the window left to tell it.
  static let far: Float = 0.35
  /// How like itself the signal must be at the shortest such distance, as a part of the most that it ever is.
  static let likeness: Float = 0.85
  /// What regularity loses when it cannot be seen again at twice the distance.
  static let unsure: Float = 0.15
  /// Steps a second that are usual where movements are as strong as this, in g.
  static let usualPace: Float = 1.9
  static let usualStrength: Float = 0.25
  /// What speaks for strides: something between two of them, and that there were strides before.
  static let middle: Float = 0.1
  static let habit: Float = 0.1
}
