import Codec
import Device
import Runtime

/// Storage space and flash wear.
extension SystemReadings {
  func readStorage(into snapshot: inout DeviceSnapshot) {
    snapshot.storage = storage()
    snapshot.wear = wear()
  }

  private func storage() -> StorageReading? {
    do throws(Errno) {
      let space = try Syscall.space(stateFolder)
      return StorageReading(totalBytes: space.total, freeBytes: space.free, isReadOnly: space.isReadOnly)
    } catch {
      return nil
    }
  }

  /// The block device that holds the state: `/sys/dev/block/179:2` is the partition, its parent folder the card.
  private func wear() -> WearReading {
    var reading = WearReading()
    var text = InlineText<24>()
    guard number(into: &text) else { return reading }
    let folder: StaticString = "/sys/dev/block"
    let disk = text.span
    let isPartition = tree.exists(folder, disk, "partition")
    func card<Value>(
      _ whole: StaticString, _ part: StaticString, _ parse: (Span<UInt8>) -> Value?
    ) -> Value? { tree.attribute(folder, disk, isPartition ? part : whole, parse) }
    let name: (Span<UInt8>) -> DeviceName? = { DeviceName(cutting: $0.trimmed) }
    reading.kind = card("device/type", "../device/type", Self.cardKind) ?? DeviceName()
    // Disks other than cards have a numeric type and no name.
    if !reading.kind.isEmpty { reading.name = card("device/name", "../device/name", name) ?? DeviceName() }
    reading.lifeUsed = card("device/life_time", "../device/life_time") { WearReading.lifeUsed($0) }
    reading.end = card("device/pre_eol_info", "../device/pre_eol_info") { .init(preEOL: $0) }
    readFileSystem(of: tree.attribute(folder, disk, "uevent") { SystemTexts.deviceName(uevent: $0) }, into: &reading)
    return reading
  }

  private static func cardKind(_ text: Span<UInt8>) -> DeviceName? {
    let word = text.trimmed
    return SystemTexts.says("SD", word) || SystemTexts.says("MMC", word) ? DeviceName(cutting: word) : nil
  }

  /// Counters of ext4 (kernel document sysfs-fs-ext4).
  private func readFileSystem(of disk: DeviceName?, into reading: inout WearReading) {
    guard let disk else { return }
    let folder: StaticString = "/sys/fs/ext4"
    reading.writtenBytes = number(folder, disk.span, "lifetime_write_kbytes").flatMap { UInt64(exactly: $0) }
      .flatMap { $0 < 1 << 53 ? $0 * 1024 : nil }
    reading.errors = number(folder, disk.span, "errors_count").flatMap { UInt64(exactly: $0) }
  }

  /// "179:2"; false when the state is not on a block device.
  private func number(into text: inout InlineText<24>) -> Bool {
    do throws(Errno) {
      let disk = try Syscall.status(stateFolder).disk
      // tmpfs, network file systems and others without a block device.
      guard disk.major != 0 else { return false }
      return text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        writer.decimal(UInt64(disk.major))
        writer.byte(UInt8(ascii: ":"))
        writer.decimal(UInt64(disk.minor))
        return writer.count
      }
    } catch {
      return false
    }
  }
}
