import Updates

extension UpdatePart {
  /// What root's side says of the board's slots; nil where the board has one system only.
  public var slots: SlotReport? { course.slots }
}
