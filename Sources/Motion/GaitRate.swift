/// The clockwork of the pedometer.
enum GaitRate {
  /// Samples a second that the pedometer works on, whatever the sensor takes. Steps come 1 to 3.5 times a second.
  static let samples: Float = 25
  /// Samples of the window in which a rhythm is looked for: 4.5 s, two strides of a slow walk.
  static let window = 112
  /// Samples between one window and the next: 0.4 s.
  static let hop = 10
  /// Samples that a stride (two steps) can last: 0.56 s of a sprint to 1.92 s of a stroll.
  static let strides = 14...48
}
