import OwnAgent
import Runtime

extension SQLiteMemory {
  public func attach(_ code: UnsafeBufferPointer<UInt8>, to id: Int64) throws(MemoryFault) -> Bool {
    let (_, statements) = try use()
    guard try answers(statements.exists, id) else { return false }
    let isNew = try !answers(statements.hasVector, id)
    statements.attach.bind(1, id)
    statements.attach.bind(2, blob: code)
    try statements.attach.run()
    if isNew { vectors = vectors.map { $0 + 1 } }
    return true
  }

  public func vectorCount() throws(MemoryFault) -> Int {
    if let vectors { return vectors }
    let counted = Int(clamping: try first(use().statements.vectorCount))
    vectors = counted
    return counted
  }

  public func removeVectors(_ count: Int) throws(MemoryFault) {
    vectors = nil
    try run(use().statements.removeVectors, Int64(count))
  }

  public func forEachVector(_ body: (Int64, UnsafeBufferPointer<UInt8>) -> Void) throws(MemoryFault) {
    let vectors = try use().statements.vectors
    defer { vectors.reset() }
    while try vectors.step() { body(vectors.integer(0), vectors.blob(1)) }
  }
}
