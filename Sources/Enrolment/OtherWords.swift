/// Words that people say often, of all sounds of English: what stands beside half of the phrases that a board learns from their spelling,
/// for words said into silence alone are told from other speech by that silence.
enum OtherWords {
  static let all: [StaticString] = [
    "water", "morning", "because", "another", "window", "people", "yellow", "question", "remember", "kitchen", "together", "nothing",
    "picture", "river", "evening", "market", "silver", "number", "animal", "children", "summer", "garden", "paper", "music", "whether",
    "always", "beautiful", "during", "engine", "family", "happy", "island", "journey", "language", "measure", "north", "ocean", "poor",
    "quickly", "rather", "shoulder", "thousand", "usual", "village", "weather", "young", "zero", "choice", "doing", "fifty", "given", "house",
  ]

  /// True when a phrase has the word.
  static func isIn(_ phrase: [UInt8], _ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard phrase.count >= length else { return false }
    for start in 0...(phrase.count - length) {
      var isSame = true
      for index in 0..<length where phrase[start + index] != word.utf8Start[index] { isSame = false }
      if isSame { return true }
    }
    return false
  }
}
