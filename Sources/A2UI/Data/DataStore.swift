import Runtime

/// The values of all data models: a pool of nodes, and an arena of keys and strings.
final class DataStore {
  let nodes: ReservedArray<DataNode>
  let texts: TextArena
  /// Nodes below this have been used, so their pages are in memory.
  private(set) var used: NodeIndex = 0
  private var firstFree = NodeIndex.none
  private(set) var freeCount = 0
  /// Counts values created along paths.
  var made = 0
  /// Entries of a data update that were skipped because they have no key or no value.
  var skipped = 0
  /// Entries of a data update that have more than a key and one value, or another one than they say.
  var surplus = 0
  /// JSON strings that were not parsed because they exceed a limit, and values that are shown of those of which there
  /// are more.
  var unread = 0
  var cutStrings = 0

  init() throws(Errno) {
    nodes = try ReservedArray(capacity: Budget.a2uiValues)
    texts = try TextArena(capacity: Budget.a2uiDataBytes)
  }

  subscript(node: NodeIndex) -> DataNode {
    unsafeAddress { UnsafePointer(nodes.pointer(Int(node))) }
    unsafeMutableAddress { nodes.pointer(Int(node)) }
  }

  /// Values in use.
  var count: Int { Int(used) - freeCount }

  /// A new value, null.
  func take() throws(DataLimit) -> NodeIndex {
    if firstFree != .none {
      let node = firstFree
      firstFree = self[node].next
      freeCount -= 1
      self[node] = DataNode()
      return node
    }
    guard Int(used) < nodes.capacity else { throw .full }
    let node = used
    used += 1
    self[node] = DataNode()
    return node
  }

  /// Frees a value with everything below it.
  func free(_ node: NodeIndex) {
    guard node != .none else { return }
    empty(node)
    texts.free(self[node].key)
    self[node] = DataNode(next: firstFree)
    firstFree = node
    freeCount += 1
    if freeCount == Int(used) { clear() }
  }

  /// Makes a value null; its key and position stay.
  func empty(_ node: NodeIndex) {
    var child = self[node].first
    while child != .none {
      let next = self[child].next
      free(child)
      child = next
    }
    texts.free(self[node].text)
    var empty = DataNode()
    takePlace(of: self[node], &empty)
    self[node] = empty
  }

  /// Adds a child at the end of a map or an array: to the list of its children and to their search tree, so that what
  /// is shown and what is found are the same. A child of a map has its key, a new one; an element gets its index.
  func add(_ child: NodeIndex, to parent: NodeIndex) {
    if self[parent].kind == .array { self[child].keyHash = UInt32(truncatingIfNeeded: self[parent].count) }
    link(child, to: parent)
    plant(child, in: parent)
  }

  /// Adds an entry to an update, which is a list of named values and no map: its names are paths, and may repeat.
  func enqueue(_ entry: NodeIndex, in update: NodeIndex) { link(entry, to: update) }

  private func link(_ child: NodeIndex, to parent: NodeIndex) {
    let last = last(of: parent)
    if last == .none { self[parent].first = child } else { self[last].next = child }
    (self[child].previous, self[child].parent) = (last, parent)
    self[self[parent].first].previous = child
    self[parent].count += 1
  }

  /// The last child of a map or an array.
  func last(of parent: NodeIndex) -> NodeIndex {
    let first = self[parent].first
    return first == .none ? .none : self[first].previous
  }

  /// Frees a value of a map, with its key, or the last element of an array.
  func remove(_ child: NodeIndex, from map: NodeIndex) {
    uproot(child, from: map)
    let (first, previous, next) = (self[map].first, self[child].previous, self[child].next)
    if child == first { self[map].first = next } else { self[previous].next = next }
    if next != .none { self[next].previous = previous } else if child != first { self[first].previous = previous }
    self[map].count -= 1
    free(child)
  }

  /// Moves the contents of a value to another, and frees the source. Position and key stay, and a secret stays one.
  func move(_ source: NodeIndex, to destination: NodeIndex) {
    let isSecret = self[destination].isSecret
    empty(destination)
    var content = self[source]
    content.isSecret = isSecret
    takePlace(of: self[destination], &content)
    self[destination] = content
    var child = content.first
    while child != .none {
      self[child].parent = destination
      child = self[child].next
    }
    texts.setOwner(content.text, Self.textOwner(destination))
    self[source].first = .none
    self[source].text = Block()
    free(source)
  }

  /// Gives a value the key and the position of another.
  private func takePlace(of old: DataNode, _ new: inout DataNode) {
    (new.keyHash, new.key, new.next) = (old.keyHash, old.key, old.next)
    (new.previous, new.parent) = (old.previous, old.parent)
    (new.level, new.left, new.right) = (old.level, old.left, old.right)
  }

  func setKey(_ node: NodeIndex, _ key: Bytes) throws(DataLimit) {
    guard key.count <= Budget.a2uiKeyBytes else { throw .key }
    self[node].key = try copy(key, owner: Self.keyOwner(node))
    self[node].keyHash = UInt32(truncatingIfNeeded: key.hash)
  }

  /// Makes an empty value a string. `text` must not be in the arena.
  func setText(_ node: NodeIndex, _ text: Bytes) throws(DataLimit) {
    guard text.count <= Budget.a2uiStringBytes else { throw .string }
    self[node].text = try copy(text, owner: Self.textOwner(node))
    self[node].kind = .string
  }

  /// Room for a string of an empty value, to be written by the caller.
  func takeText(_ node: NodeIndex, count: Int) throws(DataLimit) -> UnsafeMutableBufferPointer<UInt8> {
    guard count <= Budget.a2uiStringBytes else { throw .string }
    try makeRoom(TextArena.cost(count))
    guard let block = texts.take(count, owner: Self.textOwner(node)) else { throw .full }
    self[node].text = block
    self[node].kind = .string
    return texts.mutableBytes(block)
  }

  /// Compacts texts if needed for `count` bytes.
  func makeRoom(_ count: Int) throws(DataLimit) {
    guard texts.room < count else { return }
    guard texts.canMakeRoom(count) else { throw .full }
    compact()
  }

  /// Compacts texts; invalidates all texts returned before.
  func compact() {
    texts.compact { owner, offset in
      let node = NodeIndex(owner >> 1)
      if owner & 1 == 0 { self[node].key.offset = offset } else { self[node].text.offset = offset }
    }
  }

  func key(_ node: NodeIndex) -> Bytes { texts.bytes(self[node].key) }
  func text(_ node: NodeIndex) -> Bytes { texts.bytes(self[node].text) }

  private func copy(_ text: Bytes, owner: UInt32) throws(DataLimit) -> Block {
    try makeRoom(TextArena.cost(text.count))
    guard let block = texts.take(text.count, owner: owner) else { throw .full }
    if !text.isEmpty { texts.mutableBytes(block).baseAddress!.update(from: text.baseAddress!, count: text.count) }
    return block
  }

  private func clear() {
    used = 0
    firstFree = .none
    freeCount = 0
    nodes.release()
    texts.clear()
  }

  private static func keyOwner(_ node: NodeIndex) -> UInt32 { UInt32(node) << 1 }
  private static func textOwner(_ node: NodeIndex) -> UInt32 { UInt32(node) << 1 | 1 }
}
