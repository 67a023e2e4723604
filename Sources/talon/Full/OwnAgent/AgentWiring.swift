import Board
import Fetch
import OwnAgent
import Runtime

/// What the agent works with on this board; nothing is made that is not configured.
struct AgentWiring {
  let wish: AgentWish
  let loop: Loop
  let clock: SystemClock
  let runner: WorkerPool
  let log: Log

  func means(memoryPath: String) throws(Errno) -> AgentMeans {
    let random = SystemRandom()
    let authorities = CertificateAuthorities(path: wish.authorities)
    let link = { FetchLink(loop: loop, clock: clock, authorities: authorities) }
    var means = AgentMeans(
      models: try ModelClient(
        wish.settings.models, retries: wish.settings.retries, transport: link(), clock: clock, random: random))
    do throws(MemoryFault) {
      let store = try SQLiteMemory(path: memoryPath, limit: wish.memoryBytes)
      means.memory = try makeMemory(store)
    } catch {
      log.write(.error, "agent", "the memory cannot be opened")
    }
    if let model = wish.embeddings { means.embeddings = try EmbeddingClient(model, transport: link(), clock: clock) }
    let models = wish.settings.models + (wish.embeddings.map { [$0] } ?? [])
    means.lister = try ModelLister(models, transport: link(), clock: clock)
    means.pages = try PageClient(
      link(), clock: clock, allowed: wish.allowed, search: wish.search,
      agent: InlineText(cutting: "Talon/\(Version.number)"))
    if let mail = wish.mail { means.mail = MailClient(mail, transport: link(), clock: clock) }
    if let telegram = wish.telegram {
      means.telegram = try TelegramClient(telegram, polling: link(), sending: link(), clock: clock, random: random)
    }
    return means
  }

  private func makeMemory(_ store: SQLiteMemory) throws(MemoryFault) -> MemoryDesk {
    do throws(Errno) {
      return try MemoryDesk(store: store, limit: wish.memoryBytes, runner: runner, clock: clock, log: log)
    } catch {
      throw MemoryFault(.system, error)
    }
  }
}
