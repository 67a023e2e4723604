import Runtime

/// Who gets a place when all are taken.
extension ControlSocket {
  /// A place that nobody has.
  var freePlace: Int? {
    for index in 0..<clients.count where clients[index].socket == nil { return index }
    return nil
  }

  /// The client whose place a new one gets: the one that has been idle for the longest time; without an idle one the
  /// first connection of the process that has most of them; without such a process, and only for root, the first
  /// connection of another user. Nil: each place belongs to another process that waits for a response.
  func clientToReplace(for new: Client) -> Int? {
    if let idle = first(by: { $0.heardAt }, isIdle) { return idle }
    var most = 1
    for index in 0..<clients.count { most = max(most, connections(of: clients[index].process)) }
    if most > 1 { return first(by: { $0.connectedAt }) { connections(of: clients[$0].process) == most } }
    return new.user == 0 ? first(by: { $0.connectedAt }) { clients[$0].user != 0 } : nil
  }

  /// The client of the meant ones whose instant is the earliest.
  private func first(by instant: (Client) -> Int64, _ isMeant: (Int) -> Bool) -> Int? {
    var first: Int?
    for index in 0..<clients.count where isMeant(index) {
      if let other = first, instant(clients[other]) <= instant(clients[index]) { continue }
      first = index
    }
    return first
  }

  /// It waits for nothing, and nothing waits for it.
  private func isIdle(_ client: Int) -> Bool {
    clients[client].output.isEmpty && !(delegate?.isAwaited(by: client) ?? false)
  }

  /// Connections of a process; 0 for one that the kernel did not name.
  private func connections(of process: Int32) -> Int {
    if process == 0 { return 0 }
    var count = 0
    for index in 0..<clients.count where clients[index].process == process { count += 1 }
    return count
  }
}
