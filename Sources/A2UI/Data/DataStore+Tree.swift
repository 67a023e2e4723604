import Runtime

// The search trees of children: an AA tree (A. Andersson, "Balanced search trees made simple", 1993) in each map by
// key, and in each array by index. Its depth is at most twice the logarithm of the number of children, whatever their
// keys and order, so that no model can be crafted to be slow. Of an array at most the last element is removed by
// itself, when an update ends within it (`finish` in `DataStore+Building.swift`), so indexes have no gaps.

extension DataStore {
  /// The child of a map with this key; of an array, with an empty key and its index as the hash.
  func child(of parent: NodeIndex, _ key: Bytes, hash: UInt32) -> NodeIndex? {
    var node = self[parent].root
    while node != .none {
      let order = order(hash, key, node)
      if order == 0 { return node }
      node = order < 0 ? self[node].left : self[node].right
    }
    return nil
  }

  /// Inserts a child with a new key into its parent's tree. Only `add` calls it, which also lists the child.
  func plant(_ child: NodeIndex, in parent: NodeIndex) { self[parent].root = insert(child, below: self[parent].root) }

  private func insert(_ child: NodeIndex, below node: NodeIndex) -> NodeIndex {
    guard node != .none else { return child }
    if order(self[child].keyHash, key(child), node) < 0 {
      self[node].left = insert(child, below: self[node].left)
    } else {
      self[node].right = insert(child, below: self[node].right)
    }
    return split(skew(node))
  }

  /// Removes a child from its parent's tree; it stays in the list of children.
  func uproot(_ child: NodeIndex, from parent: NodeIndex) {
    self[parent].root = remove(child, below: self[parent].root)
    (self[child].level, self[child].left, self[child].right) = (1, .none, .none)
  }

  private func remove(_ child: NodeIndex, below node: NodeIndex) -> NodeIndex {
    guard node != .none else { return .none }
    var top = node
    if node == child {
      let (left, right) = (self[node].left, self[node].right)
      if left == .none { return right == .none ? .none : replaced(node, by: smallest(right)) }
      var last = left
      while self[last].right != .none { last = self[last].right }
      top = replaced(node, by: last)
    } else if order(self[child].keyHash, key(child), node) < 0 {
      self[node].left = remove(child, below: self[node].left)
    } else {
      self[node].right = remove(child, below: self[node].right)
    }
    return balanced(top)
  }

  private func smallest(_ node: NodeIndex) -> NodeIndex {
    var first = node
    while self[first].left != .none { first = self[first].left }
    return first
  }

  /// A neighbor in the order of keys, from below the node, takes the node's place.
  private func replaced(_ node: NodeIndex, by neighbor: NodeIndex) -> NodeIndex {
    let (left, right, level) = (self[node].left, self[node].right, self[node].level)
    let isBefore = left != .none
    let rest = remove(neighbor, below: isBefore ? left : right)
    (self[neighbor].left, self[neighbor].right) = isBefore ? (rest, right) : (left, rest)
    self[neighbor].level = level
    return isBefore ? neighbor : balanced(neighbor)
  }

  /// After a removal below it: no level may be more than one above those of both children.
  private func balanced(_ node: NodeIndex) -> NodeIndex {
    let (left, right) = (self[node].left, self[node].right)
    let wanted = min(left == .none ? 0 : self[left].level, right == .none ? 0 : self[right].level) + 1
    if wanted < self[node].level {
      self[node].level = wanted
      if right != .none, wanted < self[right].level { self[right].level = wanted }
    }
    let top = skew(node)
    var next = self[top].right
    if next != .none {
      next = skew(next)
      self[top].right = next
      let last = self[next].right
      if last != .none { self[next].right = skew(last) }
    }
    let first = split(top)
    if self[first].right != .none { self[first].right = split(self[first].right) }
    return first
  }

  /// A left child of the same level becomes the parent.
  private func skew(_ node: NodeIndex) -> NodeIndex {
    let left = self[node].left
    guard left != .none, self[left].level == self[node].level else { return node }
    self[node].left = self[left].right
    self[left].right = node
    return left
  }

  /// Of three of the same level in a row, the middle one becomes the parent.
  private func split(_ node: NodeIndex) -> NodeIndex {
    let right = self[node].right
    guard right != .none else { return node }
    let last = self[right].right
    guard last != .none, self[last].level == self[node].level else { return node }
    self[node].right = self[right].left
    self[right].left = node
    self[right].level += 1
    return right
  }

  /// Below 0 when a key comes before that of `node`, above 0 when it comes after.
  private func order(_ hash: UInt32, _ key: Bytes, _ node: NodeIndex) -> Int {
    let other = self[node].keyHash
    if hash != other { return hash < other ? -1 : 1 }
    let name = self.key(node)
    if key.count != name.count { return key.count < name.count ? -1 : 1 }
    for index in 0..<key.count where key[index] != name[index] { return key[index] < name[index] ? -1 : 1 }
    return 0
  }
}
