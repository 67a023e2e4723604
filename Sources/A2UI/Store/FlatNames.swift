/// Names of properties in v0.9. Components are asked for properties by their names in v0.8, of which v0.9 has renamed
/// some (its evolution guide, "Property Rename Summary").
enum FlatNames {
  /// The new name of a property, nil where that is the old one.
  static func name(of property: StaticString, in type: ComponentType) -> StaticString? {
    switch type {
    case .text: pick(property, ("usageHint", "variant"))
    case .image: pick(property, ("usageHint", "variant")) ?? pick(property, ("altText", "description"))
    case .row, .column, .list: pick(property, ("distribution", "justify")) ?? pick(property, ("alignment", "align"))
    case .modal: pick(property, ("entryPointChild", "trigger")) ?? pick(property, ("contentChild", "content"))
    case .tabs: pick(property, ("tabItems", "tabs"))
    case .textField: pick(property, ("text", "value")) ?? pick(property, ("textFieldType", "variant"))
    case .multipleChoice: pick(property, ("selections", "value")) ?? pick(property, ("variant", "displayStyle"))
    case .slider: pick(property, ("minValue", "min")) ?? pick(property, ("maxValue", "max"))
    default: nil
    }
  }

  private static func pick(_ property: StaticString, _ names: (old: StaticString, new: StaticString)) -> StaticString? {
    property.asBytes.equals(names.old) ? names.new : nil
  }
}
