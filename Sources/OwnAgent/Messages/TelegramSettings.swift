import Codec
import Fetch
import Runtime

/// Why a bot cannot be used as it is configured. Never says what the token is.
public enum TelegramError: Error, Equatable, Sendable {
  case address, plaintext, token, chats

  public var text: StaticString {
    switch self {
    case .address: "the address of the Telegram server is not valid"
    case .plaintext: "the address of the Telegram server must begin with https://"
    case .token: "the Telegram token is not valid: it must be like 123456:ABC-DEF, from BotFather"
    case .chats: "no chat is configured for Telegram, or more than 16"
    }
  }
}

/// Which bot it is, and who may speak with it.
public struct TelegramSettings: Sendable {
  /// Requests for messages, and to send one. The token is in their paths, so they stay in here.
  let updates: WebURL
  let sending: WebURL
  /// Chats whose messages are taken, and to which messages are sent.
  public let chats: InlineList<16, Int64>

  /// Checks a configuration. `address`: of a Bot API server; the usual one if it is empty.
  public init(token: String, chats: [Int64], address: String = "") throws(TelegramError) {
    let isUsual = address.utf8.isEmpty
    let base: WebURL
    do throws(WebURLError) {
      base = try WebURL(Array((isUsual ? "https://api.telegram.org" : address).utf8).span)
    } catch {
      throw .address
    }
    guard base.isSecure || base.isLoopback else { throw .plaintext }
    guard Self.isValid(token) else { throw .token }
    var path = base.target
    while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    path += "/bot" + token
    guard path.utf8.count + 16 <= Budget.fetchURLBytes else { throw .address }
    updates = base.with(target: path + "/getUpdates")
    sending = base.with(target: path + "/sendMessage")
    var list = InlineList<16, Int64>()
    guard !chats.isEmpty else { throw .chats }
    for chat in chats where !list.append(chat) { throw .chats }
    self.chats = list
  }

  /// Digits, a colon, and characters of base64 for URLs: nothing that could change the path.
  private static func isValid(_ token: String) -> Bool {
    guard token.utf8.count <= Budget.telegramTokenBytes else { return false }
    var (digits, others, hasColon) = (0, 0, false)
    for byte in token.utf8 {
      if !hasColon, byte == UInt8(ascii: ":") {
        hasColon = true
        continue
      }
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
      if hasColon {
        guard byte.isDigit || isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else { return false }
        others += 1
      } else {
        guard byte.isDigit else { return false }
        digits += 1
      }
    }
    return digits > 0 && others >= 16
  }
}

/// How things are with the server.
public enum TelegramState: Equatable, Sendable {
  /// Not started; asking, or waiting for a message to be taken.
  case stopped, polling
  /// The token is not known to the server: its owner has to change it.
  case wrongToken
  /// Another program polls with this token.
  case conflict
  /// The server wants to be left alone, or is not reached.
  case resting

  public var text: StaticString {
    switch self {
    case .stopped: "stopped"
    case .polling: "waiting for messages"
    case .wrongToken: "the Telegram server does not know the token: check it, or make another one with BotFather"
    case .conflict: "another program gets this bot's messages: stop it, or give the board a bot of its own"
    case .resting: "the Telegram server is not reached, or wants to be left alone for now"
    }
  }
}
