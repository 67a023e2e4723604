import Completion
import OwnAgent
import Runtime
import Testing

@testable import talon

@Suite struct AgentServiceTests {
  private func parse(_ text: String) throws -> Configuration {
    try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
  }

  /// What is wrong with a configuration; nil when nothing is.
  private func complaint(_ text: String) -> String? {
    do throws(ConfigurationError) {
      let configuration = try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
      _ = try AgentWish(configuration, file: "t.conf")
      return nil
    } catch { return error.text }
  }

  private let model = "[model a]\nurl = https://api.example.org/v1\nmodel = m\n"

  @Test func modelsAreAskedInTheOrderOfTheFile() throws {
    let configuration = try parse(
      """
      [model cloud]
      url = https://api.example.org/v1
      model = large
      prompt_price = 150000
      answer_price = 600000
      timeout = 60
      silence = 20
      tokens = 512
      pictures = yes
      [model house]
      url = http://10.1.2.3:8080/v1
      model = small
      starts_in_thought = yes
      completion_tokens = yes
      """)
    let settings = try AgentWish(configuration, file: "t.conf").settings
    #expect(settings.models.map(\.name) == ["large", "small"])
    #expect(settings.models[0].price == ModelPrice(prompt: 150_000, completion: 600_000))
    #expect(settings.models[0].totalMilliseconds == 60_000 && settings.models[0].idleMilliseconds == 20_000)
    #expect(settings.models[0].maximumTokens == 512 && settings.models[0].seesPictures)
    #expect(settings.models[1].startsInThought && settings.models[1].usesCompletionTokens)
    #expect(!settings.models[1].seesPictures)
  }

  @Test func aModelOfTheBoardIsServedByAProgramAndAskedLast() throws {
    let own = "[agent]\nmodel = /var/lib/models/small.gguf\nmodel_port = 9000\nmodel_context = 4096\n"
    let configuration = try parse(own + model)
    let program = try #require(ModelProgram(configuration.agentService))
    #expect(program.path == "/usr/bin/llama-server")
    #expect(
      program.arguments == [
        "/usr/bin/llama-server", "--model", "/var/lib/models/small.gguf", "--alias", "small.gguf", "--host",
        "127.0.0.1", "--port", "9000", "--ctx-size", "4096", "--parallel", "1", "--jinja",
      ])
    let models = try AgentWish(configuration, file: "t.conf").settings.models
    #expect(models.map(\.name) == ["m", "small.gguf"])
    #expect(models[1].base.isLoopback && models[1].base.port == 9000)
    #expect(ModelProgram(try parse(model).agentService) == nil)
    let full = (0..<4).map { "[model m\($0)]\nurl = https://x\nmodel = m\n" }.joined()
    #expect(complaint(own + full)?.contains("leave out a section") == true)
  }

  @Test func theDayIsLimitedWhereALimitIsSet() throws {
    let none = try AgentWish(parse(model), file: "t.conf").settings.budget
    #expect(none == ModelBudget())
    let some = try AgentWish(parse("[agent]\nturns = 5\nmoney = 1000000\n" + model), file: "t.conf").settings.budget
    #expect(some == ModelBudget(turns: 5, money: 1_000_000))
  }

  @Test func theModelIsToldOfToolsThatCanWork() throws {
    let none = try AgentWish(parse(model), file: "t.conf").settings.tools
    #expect(!none.contains(.webSearch) && !none.contains(.sendMessage) && none.contains(.webFetch))
    let mail = """
      [agent]
      mail_host = mail.example.org
      mail_user = board
      mail_from = board@example.org
      mail_to = owner@example.org
      search = searxng
      search_url = https://search.example.org
      tools = send_message, web_search

      """
    #expect(complaint(mail + model)?.contains("password") == true)
    let search = "[agent]\nsearch = searxng\nsearch_url = https://search.example.org\ntools = web_search, remind\n"
    #expect(try AgentWish(parse(search + model), file: "t.conf").settings.tools == [.webSearch, .remind])
  }

  @Test func whatIsWrongIsNamedWithItsSection() {
    for (text, words) in [
      ("[model a]\nmodel = m\n", "[model a] url: is missing"),
      ("[model a]\nurl = https://x/v1\n", "[model a] model: is missing"),
      ("[model A]\n", "[model A]: a model's name has a to z"),
      ("[model a]\nurl = https://x\nmodel = m\n[model a]\n", "[model a]: appears twice"),
      ("[model a]\nurl = ftp://x\nmodel = m\n", "[model a] url: is no web address"),
      (model + "pin = 12\n", "[model a] pin: must be a SHA-256 fingerprint"),
      (model + "tokens = 1\n", "[model a] tokens: must be a whole number from 16 to 16384"),
      (model + "colour = red\n", "[model a] colour: unknown key"),
      (model + "key_file = /nowhere/key\n", "/nowhere/key cannot be read"),
      ("[agent]\ntools = fly\n" + model, "[agent] tools: fly is no tool of the agent"),
      ("[agent]\nallow = a b\n" + model, "[agent] allow: a b is no host"),
      ("[agent]\nsearch = brave\n" + model, "[agent] search: the key of the search provider is missing"),
      ("[agent]\ntelegram_chats = 0\n" + model, "must be numbers of chats"),
      ("[agent]\nmemory = 0\n" + model, "[agent] memory: must be a whole number from 1 to 256"),
    ] { #expect(complaint(text)?.contains(words) == true, "\(text): \(complaint(text) ?? "nothing")") }
    let five = (0..<5).map { "[model m\($0)]\nurl = https://x\nmodel = m\n" }.joined()
    #expect(complaint(five)?.contains("there may be at most 4 such sections") == true)
    #expect(complaint(model) == nil)
  }

  @Test func otherWordsAreNotForTheService() {
    #expect(AgentService.run([]) == nil)
    #expect(AgentService.run(["serve-agent"]) == nil)
    #expect(AgentService.run(["run", "a", "b", "c", "d"]) == nil)
  }
}
