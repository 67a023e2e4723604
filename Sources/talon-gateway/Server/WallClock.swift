import Foundation

/// Milliseconds since the Unix epoch, as every timestamp on the wire.
func wallMilliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
