/// Estimates the length of a step.
///
/// A person's step length divided by the cadence, the walk ratio, is the same at all paces (N. Sekiya and H. Nagasaki,
/// "Reproducibility of the walking patterns of normal young adults", Gait and Posture 7, 1998: 0.0065 m for each step a
/// minute), and proportional to the height: that mean divided by the 1.70 m of their subjects. At 110 steps a minute a
/// step is 0.42 of the height, the usual value of pedometers.
struct StrideModel {
  private static let walkRatio: Float = 0.0065 / 1.70
  /// Cadences for which this is valid, in steps a minute.
  private static let cadences: ClosedRange<Float> = 60...200

  /// In meters.
  let height: Float

  /// Length in meters of a step of this duration in seconds.
  func length(seconds: Float) -> Float {
    let cadence = min(max(60 / seconds, Self.cadences.lowerBound), Self.cadences.upperBound)
    return height * Self.walkRatio * cadence
  }
}
