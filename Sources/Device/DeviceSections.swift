import Codec

/// The optional blocks of `device.status`, as in the Windows node (node-commands 4.5).
public struct DeviceSections: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let os = DeviceSections(rawValue: 1)
  public static let cpu = DeviceSections(rawValue: 2)
  public static let memory = DeviceSections(rawValue: 4)
  public static let disk = DeviceSections(rawValue: 8)
  public static let battery = DeviceSections(rawValue: 16)

  private static let names: InlineArray<5, (StaticString, DeviceSections)> = [
    ("os", .os), ("cpu", .cpu), ("memory", .memory), ("disk", .disk), ("battery", .battery),
  ]

  /// Reads the parameter `sections`. Without parameters, or without this one, there are none.
  public init(_ parameters: JSONView) throws(DeviceError) {
    self.init()
    if parameters.isNull { return }
    guard parameters.kind == .object else { throw .notAnObject }
    guard let list = parameters.member("sections"), !list.isNull else { return }
    guard list.kind == .array else { throw .invalidSections }
    var elements = list.elements()
    while let element = elements.next() {
      guard let section = Self.named(element) else { throw .invalidSections }
      formUnion(section)
    }
  }

  private static func named(_ value: JSONView) -> DeviceSections? {
    for index in names.indices where value.equals(names[index].0) { return names[index].1 }
    return nil
  }
}
