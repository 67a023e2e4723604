import Codec
import Runtime

/// Cache of the position of a property in a long definition: a template's component is asked for the same properties
/// for each element.
struct KnownProperty: BitwiseCopyable {
  /// The store's revision when it was found; 0: an empty entry.
  var revision: UInt32 = 0
  var component = ComponentIndex.none
  /// The address of the name, which is a constant of the program.
  var name: UInt = 0
  var start: UInt32 = 0
  /// 0: there is no such property.
  var count: UInt32 = 0
}

extension SurfaceStore {
  /// The JSON text of a component's property by its name in v0.8; nil when there is none. Drafts of v0.9 had some of
  /// the old names.
  func property(_ component: ComponentIndex, _ name: StaticString) -> Bytes? {
    let definition = self.component(component)
    if definition.isFlat, let new = FlatNames.name(of: name, in: definition.type) {
      if let found = written(component, new) { return found }
      // There `variant` is another property.
      if definition.type == .multipleChoice { return nil }
    }
    return written(component, name)
  }

  /// The JSON text of a property by the name that the definition has for it.
  func written(_ component: ComponentIndex, _ name: StaticString) -> Bytes? {
    let properties = properties(component)
    guard !properties.isEmpty else { return nil }
    if properties.count < Budget.a2uiLongDefinition { return Self.find(name, in: properties) }
    let key = UInt(bitPattern: name.utf8Start)
    let place = Int((UInt(truncatingIfNeeded: component) &* 31 ^ key) % UInt(Budget.a2uiKnownProperties))
    let known = knownProperties.base[place]
    if known.component == component, known.name == key, known.revision == revision, revision > 0 {
      let start = Int(known.start)
      return known.count == 0 ? nil : properties.between(start..<start + Int(known.count))
    }
    let found = Self.find(name, in: properties)
    var entry = KnownProperty(revision: revision, component: component, name: key)
    if let found, let base = properties.baseAddress, let start = found.baseAddress {
      (entry.start, entry.count) = (UInt32(start - base), UInt32(found.count))
    }
    knownProperties.base[place] = entry
    return found
  }

  private static func find(_ name: StaticString, in properties: Bytes) -> Bytes? {
    JSONView(Span(_unsafeElements: properties)).member(name)?.rawText.withUnsafeBufferPointer { $0 }
  }
}

/// The properties of a component, by name.
struct Properties {
  let store: SurfaceStore
  let component: ComponentIndex

  @_lifetime(immortal)
  func member(_ name: StaticString) -> JSONView? {
    guard let text = store.property(component, name) else { return nil }
    return _overrideLifetime(JSONView(Span(_unsafeElements: text)), copying: ())
  }
}
