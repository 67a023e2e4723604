import Codec

/// What holds for longer than the epoch that told it: the geometry of the satellites and the height change slowly, and
/// many receivers tell them with every second or fifth position only. Each value is kept for as long as the receiver
/// takes to tell it again.
struct FixRhythm {
  /// Values of earlier epochs that still hold; nil is what none told lately.
  struct Values {
    var hdop: Double?
    var altitude: Double?
    /// 2 or 3.
    var dimensions: UInt8?
    var satellites: UInt32?
    var horizontalError: Double?
    var verticalError: Double?
  }

  private struct Kept<Value> {
    /// Epochs between two tellings that are waited for, at most: ten positions a second, and this once a second.
    static var spacingMax: UInt32 { 10 }
    /// Milliseconds for which a value is kept at most: satellites cross the sky in hours.
    static var ageMax: Int64 { 60_000 }

    private var value: Value
    private var epoch: UInt32
    private var arrival: Int64
    private var spacing: UInt32 = 1

    init(_ value: Value, _ epoch: UInt32, _ arrival: Int64) {
      (self.value, self.epoch, self.arrival) = (value, epoch, arrival)
    }

    mutating func renew(_ value: Value, _ epoch: UInt32, _ arrival: Int64) {
      spacing = min(max(epoch &- self.epoch, 1), Self.spacingMax)
      (self.value, self.epoch, self.arrival) = (value, epoch, arrival)
    }

    /// The value, if it was told at most `spacing` epochs ago, and `grace` more.
    func value(at epoch: UInt32, _ arrival: Int64, grace: UInt32) -> Value? {
      epoch &- self.epoch < spacing + grace && arrival - self.arrival <= Self.ageMax ? value : nil
    }
  }

  /// Counts epochs that tell positions.
  private var epochs: UInt32 = 0
  private var hdop: Kept<Double>?
  private var altitude: Kept<Double>?
  private var dimensions: Kept<UInt8>?
  private var satellites: Kept<UInt32>?
  private var horizontalError: Kept<Double>?
  private var verticalError: Kept<Double>?

  /// Takes what an epoch told that is over.
  mutating func take(_ told: Values, at arrival: Int64) {
    epochs &+= 1
    Self.renew(&hdop, told.hdop, epochs, arrival)
    Self.renew(&altitude, told.altitude, epochs, arrival)
    Self.renew(&dimensions, told.dimensions, epochs, arrival)
    Self.renew(&satellites, told.satellites, epochs, arrival)
    Self.renew(&horizontalError, told.horizontalError, epochs, arrival)
    Self.renew(&verticalError, told.verticalError, epochs, arrival)
  }

  /// What still holds in the epoch after those that were taken. Geometry may be late by one epoch, for a sentence may be
  /// lost on the line. The receiver's estimate of its error may not: it is that of one position.
  func values(at arrival: Int64) -> Values {
    let next = epochs &+ 1
    return Values(
      hdop: hdop?.value(at: next, arrival, grace: 1), altitude: altitude?.value(at: next, arrival, grace: 1),
      dimensions: dimensions?.value(at: next, arrival, grace: 1),
      satellites: satellites?.value(at: next, arrival, grace: 1),
      horizontalError: horizontalError?.value(at: next, arrival, grace: 0),
      verticalError: verticalError?.value(at: next, arrival, grace: 0))
  }

  private static func renew<Value>(_ kept: inout Kept<Value>?, _ told: Value?, _ epoch: UInt32, _ arrival: Int64) {
    guard let told else { return }
    if kept == nil { kept = Kept(told, epoch, arrival) } else { kept?.renew(told, epoch, arrival) }
  }
}
