import Codec
import Runtime

/// A usable camera.
public struct CameraEntry: Sendable {
  /// A stable id, the `deviceId` of `camera.snap`: "/dev/video0".
  public var id: CameraText
  /// Its name for people.
  public var name: CameraText
  /// Its bus path, which depends on where it is plugged in: "usb-0000:01:00.0-1.2"; empty when unknown.
  public var bus: CameraText

  /// A camera with its id, name and bus.
  public init(id: CameraText, name: CameraText, bus: CameraText = CameraText()) {
    self.id = id
    self.name = name
    self.bus = bus
  }
}

/// The cameras found, at most `Budget.cameras`, stored inline.
public struct CameraList: Sendable {
  private var entries: InlineArray<8, CameraEntry>
  /// Cameras in the list.
  public private(set) var count = 0

  /// An empty list.
  public init() {
    entries = InlineArray(repeating: CameraEntry(id: CameraText(), name: CameraText()))
    precondition(Budget.cameras == entries.count)
  }

  /// True when no further camera fits.
  public var isFull: Bool { count == entries.count }

  /// Adds a camera; a full list stays as it is.
  public mutating func append(_ entry: CameraEntry) {
    if isFull { return }
    entries[count] = entry
    count += 1
  }

  /// Removes all.
  public mutating func removeAll() { count = 0 }

  /// The camera at `index`, which is below `count`.
  public subscript(_ index: Int) -> CameraEntry {
    precondition(index < count)
    return entries[index]
  }

  /// Throws `.wrongType` unless the parameters of `camera.list`, which has none, are an object or absent.
  public static func check(_ parameters: JSONView) throws(CameraError) { try ParameterReader.check(parameters) }

  /// Writes the result of `camera.list`: `{"devices":[{id,name,position,deviceType}]}`. A camera with a configured name
  /// has that as its id.
  /// - Parameters:
  ///   - kind: `CameraSource.kind`, the deviceType of each.
  ///   - roster: the configuration of the cameras.
  public func write(
    to writer: inout JSONWriter, kind: StaticString, cameraSettings: CameraSettingsTable = CameraSettingsTable()
  ) {
    writer.beginObject()
    writer.key("devices")
    writer.beginArray()
    for index in 0..<count {
      let settings = cameraSettings.settings(for: entries[index])
      let id = settings.name.isEmpty ? entries[index].id : settings.name
      writer.beginObject()
      writer.key("id")
      writer.string(id.span)
      writer.key("name")
      writer.string(entries[index].name.span)
      writer.key("position")
      writer.string(settings.position.word)
      writer.key("deviceType")
      writer.string(kind)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
