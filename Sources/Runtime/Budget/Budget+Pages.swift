/// Limits of what the board's own agent reads of the web, and of the messages that it sends and gets.
extension Budget {

  // MARK: Pages

  /// Bytes of text that are kept of a page: about 6,000 tokens of a language model, which a small one can hold beside a
  /// conversation. Taken once for the page that is read, and once for each page in the cache.
  public static let pageTextBytes = 24 * 1024
  /// Bytes of a page's title; browsers show less.
  public static let pageTitleBytes = 256
  /// Addresses of links that are written beside their text: a list of results or news has about so many, and each costs
  /// the model some 30 tokens.
  public static let pageLinks = 48
  /// Bytes of one such address; a longer one is left out.
  public static let pageLinkBytes = 512
  /// Bytes of an attribute's value that are kept: an address, a description. The value itself may have any length.
  public static let pageAttributeBytes = 1024
  /// Bytes of a picture's description that are kept.
  public static let pageAltBytes = 200
  /// Elements inside each other that are told apart, 8 bytes each. Pages of the web rarely have more than 40.
  public static let pageDepth = 128
  /// Bytes of one declaration of an inline style that are looked at: property and value of those that hide something.
  public static let pageStyleBytes = 64
  /// Bytes of the name of an entity without its ampersand and semicolon: the longest in the table has 8.
  public static let pageEntityBytes = 12
  /// Pixels of the reference by which text that stands to the left of its place, or above it, counts as off the screen.
  public static let pageOffscreenPixels = 200
  /// Bytes of content that are read of a page until its text is complete. They pass through the fetcher's memory, so
  /// only the traffic counts.
  public static let pageContentBytes = 8 * 1024 * 1024
  /// Timeouts in milliseconds for a whole page, and for silence of its server: a person waits for the answer.
  public static let pageMilliseconds: Int64 = 25_000
  public static let pageIdleMilliseconds: Int64 = 8_000
  /// Pages and searches that are remembered, each with `pageTextBytes` and an address of `fetchURLBytes`: 208 KiB of
  /// address space, of which only what was used costs memory.
  public static let pageCacheEntries = 8
  /// Milliseconds for which they are remembered: within one conversation the same page is asked for again.
  public static let pageCacheMilliseconds: Int64 = 300_000

  // MARK: Searches

  /// Results that are read of a search: the first page of an engine, which people rarely leave.
  public static let searchResults = 8
  /// Bytes of a result's title, address and excerpt.
  public static let searchTitleBytes = 160
  public static let searchAddressBytes = 512
  public static let searchSnippetBytes = 640
  /// Bytes of a query; Brave takes 400 characters.
  public static let searchQueryBytes = 400
  /// Bytes of a provider's address, so that the address with every byte of a query as `%xx` fits `fetchURLBytes`.
  public static let searchURLBytes = 512
  /// Bytes of a provider's key.
  public static let searchKeyBytes = 256
  /// Bytes of a provider's answer: SearXNG sends some 30 results of about 2 KiB. Also the memory in which a page's
  /// content arrives. Address space until it is used, and given back after each read.
  public static let searchBodyBytes = 256 * 1024
  /// Bytes of a member of an answer before it is cleaned.
  public static let searchFieldBytes = 4096
  /// Bytes of a request's body: a query in which each byte is escaped, and what is around it.
  public static let searchRequestBytes = 6 * searchQueryBytes + 128
  /// Timeouts in milliseconds for a search, and for silence of the provider, which asks other engines itself.
  public static let searchMilliseconds: Int64 = 20_000
  public static let searchIdleMilliseconds: Int64 = 15_000

  // MARK: E-mail

  /// Bytes of an address (RFC 5321 section 4.5.3.1.3, less its brackets), and of the part before the @ (4.5.3.1.1).
  public static let mailAddressBytes = 254
  public static let mailLocalBytes = 64
  /// Bytes of a sender's name, and of a subject: what programs for mail show in a list.
  public static let mailNameBytes = 80
  public static let mailSubjectBytes = 240
  /// Bytes of a text: a long answer of a model. As quoted-printable it has at most three times as many, and 3 for each
  /// 75 at the ends of lines.
  public static let mailTextBytes = 16 * 1024
  /// Bytes of a whole message, with header. Taken once.
  public static let mailMessageBytes = 3 * mailTextBytes + mailTextBytes / 8 + 4096
  /// Bytes of one line of a server's answer that are kept (512 in RFC 5321 section 4.5.3.1.5); the rest is dropped.
  public static let mailReplyLineBytes = 512
  /// Lines and bytes of one answer: servers have fewer than 20 extensions.
  public static let mailReplyLines = 64
  public static let mailReplyBytes = 8 * 1024
  /// Bytes of a server's sentence that are kept for people.
  public static let mailSentenceBytes = 160
  /// Bytes of user and password.
  public static let mailUserBytes = 128
  public static let mailPasswordBytes = 256
  /// Bytes that are sent at once: the longest command, `AUTH PLAIN` with both in base64, and pieces of the message.
  public static let mailOutputBytes = 2048
  /// Timeouts in milliseconds: for the connection; for the answer to each command; for the message to leave; and for
  /// the answer after its final dot, where a server may work long, and giving up means not to know (RFC 5321 section
  /// 4.5.3.2.6, which has ten minutes, for programs that try again).
  public static let mailConnectMilliseconds: Int64 = 30_000
  public static let mailStepMilliseconds: Int64 = 60_000
  public static let mailContentMilliseconds: Int64 = 120_000
  public static let mailFinalMilliseconds: Int64 = 180_000
  /// Milliseconds for the last goodbye, of which nothing depends.
  public static let mailQuitMilliseconds: Int64 = 5_000

  // MARK: Telegram

  /// Bytes of a bot's token: today's have 46.
  public static let telegramTokenBytes = 64
  /// Chats that a configuration may name.
  public static let telegramChats = 16
  /// Seconds for which the server holds a poll, and milliseconds after which it counts as lost.
  public static let telegramPollSeconds: Int64 = 50
  public static let telegramPollMilliseconds: Int64 = 65_000
  /// Updates in one answer, and bytes of an answer: an update has at most about 60 KB, where each character of its text
  /// and of the message that it replies to is escaped. Address space until it is used.
  public static let telegramBatch = 4
  public static let telegramBodyBytes = 256 * 1024
  /// UTF-16 units of a message (Bot API, sendMessage), and bytes of its text.
  public static let telegramUnits = 4096
  public static let telegramTextBytes = 3 * telegramUnits
  /// Bytes of a text to be sent, in as many messages as it needs.
  public static let telegramSendBytes = 16 * 1024
  /// Bytes of a request: a message of which each unit is escaped, and what is around it.
  public static let telegramRequestBytes = 6 * telegramUnits + 256
  /// Bytes of an answer to a message that was sent: it repeats the message.
  public static let telegramAnswerBytes = 64 * 1024
  /// Timeout in milliseconds for sending one message.
  public static let telegramSendMilliseconds: Int64 = 30_000
  /// Milliseconds after which no further attempt at a text begins: others wait for it.
  public static let telegramTextMilliseconds: Int64 = 180_000
  /// Attempts at one message that the server did not take yet.
  public static let telegramAttempts = 5
  /// Milliseconds before the next attempt after a failure, at first and at most, before the spread.
  public static let telegramRetry: ClosedRange<Int64> = 1_000...300_000
  /// Milliseconds without an update after which the numbers of updates may begin anywhere: Telegram chooses the next
  /// one at random after a week without (Bot API, Update), and a number that jumped far would be waited for for ever.
  public static let telegramForgetMilliseconds: Int64 = 6 * 86_400_000
  /// Milliseconds of rest where the token is wrong, which only its owner can change; and where another program polls
  /// with the same token.
  public static let telegramRefusedMilliseconds: Int64 = 3_600_000
  public static let telegramConflictMilliseconds: Int64 = 120_000
}
