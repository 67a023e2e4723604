import Codec
import Runtime

/// Does on a worker what the desk was asked for, one request at a time.
final class MemoryWorker {
  private let store: any MemoryStore
  /// Bytes that entries may take.
  private let target: Int64
  let results = MemoryResults()
  private let query = FixedBuffer(capacity: Budget.memoryQueryBytes)
  private let code = FixedBuffer(capacity: VectorCode.bytes(dimensions: Budget.embeddingDimensions))
  private var isOpen = false
  /// The newest entry that has got a vector, and the first that was remembered, in this run of the program.
  private var newestVector: Int64?
  private var firstEntry: Int64?
  /// What opening the store found, until the loop has taken it.
  var opening: MemoryOpening?

  init(_ store: any MemoryStore, limit: Int64) {
    self.store = store
    target = MemoryTrimmer.target(limit)
  }

  func perform(_ slot: MemorySlot) -> MemoryOutcome {
    results.removeAll()
    do throws(MemoryFault) {
      if !isOpen { opening = try store.open() }
      isOpen = true
      return try answer(slot)
    } catch {
      // It is looked at again, and set aside, when it is opened.
      if error.kind == .damaged { close() }
      return .failed(error)
    }
  }

  func close() {
    store.close()
    isOpen = false
  }

  private func answer(_ slot: MemorySlot) throws(MemoryFault) -> MemoryOutcome {
    switch slot.request {
    case .remember(let entry): return try remember(entry, slot)
    case .attach(let id): return try attach(id, slot)
    case .search(let limit): return try search(slot, limit)
    case .list(let selection, let limit): return try list(selection, limit)
    case .forgetWords: return try forgetWords(slot)
    case .forgetEntry(let id): return try forget(id)
    case .forgetAll: return try forgetAll()
    case .trim(let bytes): return try trim(to: bytes)
    case .write(let sink): return try write(sink)
    case .read(let source, let now): return try read(source, now)
    }
  }

  /// Makes `body`'s changes one.
  private func change<Result>(_ body: () throws(MemoryFault) -> Result) throws(MemoryFault) -> Result {
    try store.begin()
    do throws(MemoryFault) {
      let result = try body()
      try store.commit()
      return result
    } catch {
      store.rollback()
      throw error
    }
  }

  // MARK: Remembering

  private func remember(_ entry: MemoryEntry, _ slot: MemorySlot) throws(MemoryFault) -> MemoryOutcome {
    guard !MemoryText.isBlank(slot.text) else { throw MemoryFault(.empty) }
    let row = MemoryRow(entry, subject: entry.kind == .fact ? slot.subject : Self.nothing, text: slot.text)
    do throws(MemoryFault) {
      return .stored(id: try add(row, slot), isCut: slot.isCut)
    } catch {
      // Not where its own rule says that there is none.
      guard error.kind == .full, error.code != 0 else { throw error }
      try makeRoom()
    }
    // Once more, with the room of what has gone.
    return .stored(id: try add(row, slot), isCut: slot.isCut)
  }

  private static var nothing: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

  private func add(_ row: MemoryRow, _ slot: MemorySlot) throws(MemoryFault) -> Int64 {
    try change { () throws(MemoryFault) in
      let id = try store.add(row)
      firstEntry = firstEntry ?? id
      if slot.dimensions > 0 { _ = try attachVector(slot, to: id) }
      _ = try MemoryTrimmer.trim(store, to: target, slack: MemoryTrimmer.slack(target), keeping: id)
      return id
    }
  }

  /// The file has no room although less is used than may be, as the index of words may need more for a while, or the
  /// flash is full. Facts do not go for what may be room in a moment.
  private func makeRoom() throws(MemoryFault) {
    try change { () throws(MemoryFault) in
      var removed = 0
      while removed < 16, let id = try MemoryTrimmer.next(store), try isExpendable(id) {
        _ = try store.remove(id)
        removed += 1
      }
      try store.compact()
    }
  }

  private func isExpendable(_ id: Int64) throws(MemoryFault) -> Bool {
    var isFact = false
    try store.select(.one(id), limit: 1) { row in
      isFact = row.entry.kind == .fact
      return false
    }
    return !isFact
  }

  private func attachVector(_ slot: MemorySlot, to id: Int64) throws(MemoryFault) -> Bool {
    guard let count = VectorCode.encode(UnsafeBufferPointer(slot.vector), into: code.bytes) else {
      throw MemoryFault(.badVector)
    }
    try MemoryTrimmer.makeRoomForVector(store)
    newestVector = max(newestVector ?? id, id)
    return try store.attach(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(code.bytes)[..<count]), to: id)
  }

  private func attach(_ id: Int64, _ slot: MemorySlot) throws(MemoryFault) -> MemoryOutcome {
    guard slot.dimensions > 0 else { throw MemoryFault(.badVector) }
    let isThere = try change { () throws(MemoryFault) in
      let isThere = try attachVector(slot, to: id)
      if isThere { _ = try MemoryTrimmer.trim(store, to: target, slack: MemoryTrimmer.slack(target)) }
      return isThere
    }
    return .attached(isThere)
  }

  private func trim(to bytes: Int64) throws(MemoryFault) -> MemoryOutcome {
    var removed = 0
    while true {
      let some = try change { () throws(MemoryFault) in try MemoryTrimmer.trim(store, to: bytes) }
      removed += some
      if some < Budget.memoryTrimEntries { return .trimmed(removed) }
    }
  }

  // MARK: Finding

  private func search(_ slot: MemorySlot, _ limit: Int) throws(MemoryFault) -> MemoryOutcome {
    var best = BestList()
    let words = MemoryQuery(slot.text, matching: .any, into: query.bytes)
    if words.words > 0 { try store.search(words.text, &best) }
    if slot.dimensions > 0 {
      var near = BestList()
      let vector = UnsafeBufferPointer(slot.vector)
      try store.forEachVector { id, code in
        if let cosine = VectorCode.cosine(vector, code), cosine > 0 { near.offer(id, cosine) }
      }
      best = BestList.fused(best, near, limit: Budget.memoryCandidates)
    }
    for index in 0..<min(best.count, max(limit, 0)) {
      var isFact = false
      try store.select(.one(best.id(index)), limit: 1) { row in
        isFact = row.entry.kind == .fact && results.append(row)
        return row.entry.kind != .fact && results.append(row)
      }
      if isFact { try store.markFound(best.id(index)) }
    }
    return .listed
  }

  private func list(_ selection: MemorySelection, _ limit: Int) throws(MemoryFault) -> MemoryOutcome {
    let first = selection == .withoutVector ? try firstWithoutVector() : 0
    try store.select(selection, limit: min(max(limit, 0), Budget.memoryResults)) { row in
      row.entry.id >= first && results.append(row)
    }
    if selection == .conversation { results.reverse() }
    return .listed
  }

  /// The oldest entry that is to get a vector. When there are about as many as there may be, those of old entries make
  /// room for new ones: given to them again, they would come and go for ever.
  private func firstWithoutVector() throws(MemoryFault) -> Int64 {
    guard try store.vectorCount() >= Budget.memoryVectors - 2 * Budget.memoryTrimVectors else { return 0 }
    if let newestVector { return newestVector + 1 }
    return firstEntry ?? .max
  }

  // MARK: Forgetting

  private func forgetWords(_ slot: MemorySlot) throws(MemoryFault) -> MemoryOutcome {
    let words = MemoryQuery(slot.text, matching: .all, into: query.bytes)
    guard words.words > 0, !words.isCut, !slot.isCut else { throw MemoryFault(.badWords) }
    return try forget { () throws(MemoryFault) in
      var removed = 0
      while true {
        var found = BestList()
        try store.search(words.text, &found)
        let before = removed
        for index in 0..<found.count where try store.remove(found.id(index)) { removed += 1 }
        if removed == before { return removed }
      }
    }
  }

  private func forget(_ id: Int64) throws(MemoryFault) -> MemoryOutcome {
    try forget { () throws(MemoryFault) in try store.remove(id) ? 1 : 0 }
  }

  private func forgetAll() throws(MemoryFault) -> MemoryOutcome {
    try forget { () throws(MemoryFault) in
      let count = try store.count()
      try store.removeAll()
      return count
    }
  }

  private func forget(_ remove: () throws(MemoryFault) -> Int) throws(MemoryFault) -> MemoryOutcome {
    let count = try change { () throws(MemoryFault) in
      let count = try remove()
      if count > 0 { try store.markForWiping() }
      return count
    }
    guard count > 0 else { return .forgotten(0) }
    do throws(MemoryFault) { try store.wipe() } catch {
      // The next request opens the file, and tries again.
      close()
      if error.kind == .damaged { throw error }
      var fault = MemoryFault(.remains, code: error.code)
      fault.detail = error.detail
      throw fault
    }
    return .forgotten(count)
  }

  // MARK: Markdown

  private func write(_ sink: any MarkdownSink) throws(MemoryFault) -> MemoryOutcome {
    let writer = MarkdownWriter(sink)
    do throws(MemoryFault) {
      for kind in [MemoryKind.fact, .note, .conversation] {
        try writer.begin(kind)
        var fault: MemoryFault?
        try store.select(.all(kind), limit: .max) { row in
          do throws(MemoryFault) { try writer.add(row) } catch { fault = error }
          return fault == nil
        }
        if let fault { throw fault }
      }
      try writer.finish()
    } catch {
      sink.cancel()
      throw error
    }
    return .written(writer.count)
  }

  private func read(_ source: any MarkdownSource, _ now: Int64) throws(MemoryFault) -> MemoryOutcome {
    let importer = MemoryImporter(store, target: target)
    try importer.run(source, now: now)
    return .read(importer.report)
  }
}
