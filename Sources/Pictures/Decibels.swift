import Foundation

enum Decibels {
  /// Ten times the decimal logarithm of a ratio of powers.
  static func of(_ ratio: Double) -> Double { 10 * log10(ratio) }
}
