import Codec
import Runtime

/// The light around the board.
public protocol AmbientLight: AnyObject {
  /// The illuminance in lux; nil when there is no sensor, or it cannot be read. Blocks: on a worker.
  func illuminance() -> Float?
}

/// Whether the screen is dim and warm: in certain hours, or while it is dark around the board.
public struct NightWatch: Sendable {
  /// The hours; nil: none.
  private let hours: DayWindow?
  /// It is dark below so many lux, and light again above twice as many; nil: whatever the light is.
  private let darkness: Float?
  private var isDark = false
  /// Readings one after the other that say otherwise.
  private var others = 0

  /// A night; see the properties.
  public init(hours: DayWindow?, darkness: Float?) {
    self.hours = hours
    self.darkness = darkness
  }

  /// Nothing asks for it.
  public var isNever: Bool { hours == nil && darkness == nil }

  /// The light has to be read.
  public var needsLight: Bool { darkness != nil }

  /// The light as it was read; nil: nobody knows, and it is as it was. A hand or a cloud that passes changes nothing.
  public mutating func take(_ illuminance: Float?) {
    guard let darkness, let illuminance else { return }
    let isOther = isDark ? illuminance > 2 * darkness : illuminance < darkness
    others = isOther ? others + 1 : 0
    guard others >= Budget.nightReadings else { return }
    isDark.toggle()
    others = 0
  }

  /// `localMinutes`: minutes of local time since 1970; nil: unknown.
  public func isNight(localMinutes: Int64?) -> Bool {
    if isDark { return true }
    guard let hours, let localMinutes else { return false }
    return hours.contains(localMinutes: localMinutes)
  }
}
