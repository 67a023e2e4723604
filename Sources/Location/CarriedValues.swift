import Codec

/// Carries slowly changing values over to later epochs: many receivers report geometry and height only with every
/// second or fifth position. Each value is kept for as long as the receiver usually takes to report it again.
struct CarriedValues {
  /// Values of earlier epochs that are still valid; nil is unknown.
  struct Values {
    var hdop: Double?
    var altitude: Double?
    /// 2 or 3.
    var dimensions: UInt8?
    var satellites: UInt32?
    var horizontalError: Double?
    var verticalError: Double?
  }

  private struct Carried<Value> {
    /// Longest spacing of reports in epochs: ten positions a second, and this once a second.
    static var spacingMax: UInt32 { 10 }
    /// Longest lifetime of a value in milliseconds: satellites cross the sky in hours.
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

    /// The value, if it was reported at most `spacing` plus `grace` epochs ago.
    func value(at epoch: UInt32, _ arrival: Int64, grace: UInt32) -> Value? {
      epoch &- self.epoch < spacing + grace && arrival - self.arrival <= Self.ageMax ? value : nil
    }
  }

  /// Counts epochs with positions.
  private var epochs: UInt32 = 0
  private var hdop: Carried<Double>?
  private var altitude: Carried<Double>?
  private var dimensions: Carried<UInt8>?
  private var satellites: Carried<UInt32>?
  private var horizontalError: Carried<Double>?
  private var verticalError: Carried<Double>?

  /// Takes the values of a finished epoch.
  mutating func take(_ received: Values, at arrival: Int64) {
    epochs &+= 1
    Self.renew(&hdop, received.hdop, epochs, arrival)
    Self.renew(&altitude, received.altitude, epochs, arrival)
    Self.renew(&dimensions, received.dimensions, epochs, arrival)
    Self.renew(&satellites, received.satellites, epochs, arrival)
    Self.renew(&horizontalError, received.horizontalError, epochs, arrival)
    Self.renew(&verticalError, received.verticalError, epochs, arrival)
  }

  /// The values that are still valid in the next epoch. Geometry may be one epoch late, because a sentence may be lost
  /// on the line. The receiver's error estimate may not, because it belongs to one position.
  func values(at arrival: Int64) -> Values {
    let next = epochs &+ 1
    return Values(
      hdop: hdop?.value(at: next, arrival, grace: 1), altitude: altitude?.value(at: next, arrival, grace: 1),
      dimensions: dimensions?.value(at: next, arrival, grace: 1),
      satellites: satellites?.value(at: next, arrival, grace: 1),
      horizontalError: horizontalError?.value(at: next, arrival, grace: 0),
      verticalError: verticalError?.value(at: next, arrival, grace: 0))
  }

  private static func renew<Value>(_ kept: inout Carried<Value>?, _ received: Value?, _ epoch: UInt32, _ arrival: Int64)
  {
    guard let received else { return }
    if kept == nil { kept = Carried(received, epoch, arrival) } else { kept?.renew(received, epoch, arrival) }
  }
}
