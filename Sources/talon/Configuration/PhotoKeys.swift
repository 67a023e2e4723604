import Camera
import Runtime

extension ConfigurationKey {
  /// Keys of `[photos]`.
  static let photos: [ConfigurationKey] = [
    ConfigurationKey(section: "photos", name: "keep", isFileOnly: true) {
      size($1, Budget.photosKept, &$0.photos.bytes)
    },
    ConfigurationKey(section: "photos", name: "days") { number($1, Budget.photosDays, &$0.photos.days) },
  ]

  /// `none`, or a size such as `20 MB` or `2 GB`, in steps of a thousand.
  static func size(_ value: String, _ range: ClosedRange<Int64>, _ target: inout Int64) -> String? {
    if value == "none" {
      target = 0
      return nil
    }
    for (unit, factor) in [("MB", 1_000_000), ("GB", 1_000_000_000)] as [(String, Int64)] where value.hasSuffix(unit) {
      let number = trimmed(Array(value.utf8.dropLast(unit.utf8.count))[...])
      guard let count = decimal(number), count > 0, count <= range.upperBound / factor,
        range.contains(count * factor)
      else { break }
      target = count * factor
      return nil
    }
    let (least, most) = (range.lowerBound / 1_000_000, range.upperBound / 1_000_000_000)
    return "must be none, or a size from \(least) MB to \(most) GB, such as 20 MB"
  }
}
