/// Limits of A2UI documents (canvas reference 1.14). All memory is reserved address space; only pages that are touched
/// cost memory: a card of 30 components takes some 40 KiB.
extension Budget {
  // MARK: Messages

  /// Bytes of one push, of one line of it, and how many messages it may have.
  public static let a2uiPushBytes = 4 * 1024 * 1024
  public static let a2uiLineBytes = 2 * 1024 * 1024
  public static let a2uiMessages = 4096
  /// Arrays and objects that may stand around messages.
  public static let a2uiWrappers = 4
  /// Nesting of JSON in a message: 32 nested maps take two containers each, below four outer ones.
  public static let a2uiJSONDepth = 128
  /// Warnings of one push that are kept, and bytes of each; more are counted.
  public static let a2uiWarnings = 16
  public static let a2uiWarningBytes = 160

  // MARK: Surfaces

  /// Surfaces at once.
  public static let a2uiSurfaces = 64
  /// Components of one surface, and of all together. 72 bytes each beside their definition.
  public static let a2uiSurfaceComponents = 8192
  public static let a2uiComponents = 16_384
  /// Bytes of the id of a surface or a component, and of a key of the data model.
  public static let a2uiKeyBytes = 256
  /// Ids and definitions of all surfaces together, in bytes: what one push may bring.
  public static let a2uiDefinitionBytes = 4 * 1024 * 1024
  /// Chains of the table that finds components by their id. 4 bytes each.
  public static let a2uiComponentChains = 4096

  // MARK: Data models

  /// Values of one data update, all levels together; of more the rest is left out. A table of 5,000 rows with five
  /// columns has 30,000.
  public static let a2uiEntries = 32_768
  /// Bytes of one string.
  public static let a2uiStringBytes = 64 * 1024
  /// Nesting of maps and lists.
  public static let a2uiDataDepth = 32
  /// Values of all data models together: a large update is read while the old values are there. 64 bytes each.
  public static let a2uiValues = 131_072
  /// Values of one string that turns out to be JSON: what fits `a2uiStringBytes` with 16 bytes a value. Of more the
  /// rest is left out.
  public static let a2uiParsedValues = 4096
  /// Keys and strings of all data models together, in bytes.
  public static let a2uiDataBytes = 4 * 1024 * 1024
  /// Bytes of a data path in a component.
  public static let a2uiPathBytes = 1024

  // MARK: Instances

  /// Instances of one surface that are laid out: a list of 5,000 rows of two texts. 56 bytes each.
  public static let a2uiInstances = 16_384
  /// What an instance that is made counts as in one turn of the loop, in the unit of `arrangedBytes`, and one that is
  /// only visited: 128 are made in a turn.
  public static let a2uiBuiltStep = 64
  public static let a2uiVisitedStep = 4
  /// Ids of children that are looked up while the instances of a surface are made. More than instances, because an id
  /// may be undefined, and a template repeats its own for each element.
  public static let a2uiNamedChildren = 4 * a2uiInstances
  /// Tabs of one component, and options of one choice.
  public static let a2uiItems = 1024
  /// Properties whose places in long definitions are remembered, 24 bytes each, and the bytes from which on a
  /// definition is long.
  public static let a2uiKnownProperties = 256
  public static let a2uiLongDefinition = 128
  /// Elements of all templates of one surface.
  public static let a2uiElements = 8192
  /// Nesting of containers that are drawn.
  public static let a2uiRenderDepth = 64
  /// Bytes of an instance's id: its component's, and the indices or keys of the templates around it.
  public static let a2uiInstanceIdBytes = 1024
  /// Bytes of the ring into which strings are unescaped and numbers formatted. A string in it stays valid until nearly
  /// this much was written after it.
  public static let a2uiScratchBytes = 512 * 1024

  // MARK: Functions (v0.9)

  /// Calls in calls. A number with a currency in a plural in a text takes four.
  public static let a2uiCallDepth = 16
  /// Bytes that the expressions and calls of one value may read and write in all, so that texts which name each other
  /// many times over end.
  public static let a2uiValueWork = 8 * a2uiStringBytes
  /// Bytes of a number or a date that a function writes; the longest number has 340.
  public static let a2uiFormattedBytes = 1024
  /// Bytes in which texts with expressions are put together, reserved: the longest string, and others in it.
  public static let a2uiStackBytes = 2 * a2uiStringBytes
  /// Bytes of the path of an icon: the longest of Material Symbols have 2,500. Unpacked into the scratch ring.
  public static let a2uiIconBytes = 4096
  /// Checks of one component; later ones are passed over.
  public static let a2uiChecks = 16

  // MARK: Actions

  /// Characters of a message to the agent; the gateway drops longer ones.
  public static let a2uiActionCharacters = 20_000
  /// Characters of a name in the message to the agent, and in its short form, where the plugin truncates.
  public static let a2uiLongTagCharacters = 1000
  public static let a2uiTagCharacters = 120
  /// Entries of an action's context.
  public static let a2uiContextEntries = 64
}
