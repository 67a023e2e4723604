/// Frequent words with all sounds of English. They surround half of the synthetic phrases, because a detector trained
/// only on words in silence would learn the silence.
enum OtherWords {
  static let all: [StaticString] = [
    "water", "morning", "because", "another", "window", "people", "yellow", "question", "remember", "kitchen",
    "together", "nothing",
    "picture", "river", "evening", "market", "silver", "number", "animal", "children", "summer", "garden", "paper",
    "music", "whether",
    "always", "beautiful", "during", "engine", "family", "happy", "island", "journey", "language", "measure", "north",
    "ocean", "poor",
    "quickly", "rather", "shoulder", "thousand", "usual", "village", "weather", "young", "zero", "choice", "doing",
    "fifty", "given", "house",
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
