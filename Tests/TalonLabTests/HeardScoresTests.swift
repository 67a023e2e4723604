import Testing

@testable import talon_lab

@Suite struct HeardScoresTests {
  @Test("of a recording with the phrase the best score counts, of others each peak that a detector would report")
  func peaks() {
    var scores = HeardScores()
    scores.add([-3, 2, 1], isSaid: true)
    scores.add([0.5, 0.4], isSaid: true)
    // Peaks that are nearer to each other than two detections can be are one; what is far below all thresholds is none.
    scores.add([-9, 1, 0, 3, -9] + [Float](repeating: -9, count: 40) + [2, 2], isSaid: false)
    #expect(scores.said == [2, 0.5] && scores.peaks == [3, 2])
    #expect(scores.heard(above: 0.5) == 1 && scores.falseAccepts(above: 1) == 2)
    #expect(scores.threshold(falseAccepts: 1) == 2 && scores.falseAccepts(above: 2) == 1)
    #expect(scores.falseAccepts(above: scores.threshold(falseAccepts: 2)) == 2)
  }

  @Test("the bounds of a part are Wilson's, also of none and of all")
  func parts() {
    let half = Confidence.part(5, of: 10)
    #expect(abs(half.lowerBound - 0.2366) < 1e-4 && abs(half.upperBound - 0.7634) < 1e-4)
    #expect(Confidence.part(0, of: 20).lowerBound == 0)
    #expect(Confidence.part(20, of: 20).upperBound == 1)
    #expect(Confidence.part(0, of: 0) == 0...1)
  }

  @Test("the bounds of a count are Garwood's")
  func counts() {
    let (none, seven) = (Confidence.mean(0), Confidence.mean(7))
    #expect(none.lowerBound == 0 && abs(none.upperBound - 3.689) < 1e-3)
    #expect(abs(seven.lowerBound - 2.814) < 1e-3 && abs(seven.upperBound - 14.423) < 1e-3)
  }
}
