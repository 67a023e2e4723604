import Camera
import Canvas
import Codec
import Graphics
import Location
import Motion
import Runtime
import Sound

// What people do at the board, and what happens to its devices.
extension AgentProgram {
  func devices(_ maker: Maker) {
    let dice = maker.dice
    let now = board.clock.monotonic
    switch dice.below(21) {
    case 0...4: touch(dice, now)
    case 5: type(maker, now)
    case 6: key(dice, now)
    case 7: press(dice)
    case 8: position(dice, now)
    case 9: move(dice)
    case 10:
      tell?("the camera changes")
      board.camera.failure = dice.pick([nil, nil, .noDevice, .disconnected, .stalled])
      board.agent.boardChanged(.cameras)
    case 11, 12:
      tell?("somebody speaks")
      board.capture.failure = nil
      for _ in 0..<(1 + dice.below(6)) { board.capture.hear(640) }
    case 13:
      tell?("the speaker plays")
      for _ in 0..<3 { board.playback.play() }
    case 14:
      tell?("sound cards change")
      board.capture.failure = dice.pick([nil, nil, .disconnected, .busy])
      board.playback.failure = dice.pick([nil, nil, .disconnected])
      board.agent.boardChanged(.soundCards)
    case 15, 16:
      tell?("a program writes, or ends")
      dice.pick(board.programs).goOn(dice)
    case 17, 18, 19:
      tell?("the board's own agent does something")
      board.ownAgent.act(maker)
    default:
      tell?("the network or the display changes")
      switch dice.below(5) {
      case 0: board.agent.boardChanged(.network)
      case 1: board.display.change()
      case 2: board.display.losePicture()
      case 3: board.agent.boardChanged(.serialPorts)
      default:
        board.input.attach(
          hasTouch: dice.chance(1, in: 2), hasKeyboard: dice.chance(1, in: 2), hasKeys: dice.chance(1, in: 2))
      }
    }
  }

  /// On the screen: whatever a device says, drivers give no other place (target `evdev`).
  private func place(_ dice: Dice) -> Point { Point(Int32(dice.below(160)), Int32(dice.below(120))) }

  private func touch(_ dice: Dice, _ now: Int64) {
    let start = place(dice)
    tell?("touch \(start)")
    let id = dice.chance(1, in: 8) ? dice.below(Budget.touchPoints) : 0
    board.input.play(.pointer(.down, id: id, start), at: now)
    if dice.chance(1, in: 3) { board.input.play(.pointer(.move, id: id, place(dice)), at: now + 30) }
    if dice.chance(1, in: 4) {
      board.input.play(.wheel(start, x: 0, y: dice.pick([40, -40, 20_000, -20_000])), at: now)
    }
    board.input.play(.pointer(dice.chance(1, in: 9) ? .cancel : .up, id: id, start), at: now + 50)
  }

  private func type(_ maker: Maker, _ now: Int64) {
    let text = maker.dice.pick(Maker.texts)
    tell?("type \(text)")
    for scalar in text.unicodeScalars { board.input.play(.character(scalar), at: now) }
    if maker.dice.chance(1, in: 2) { board.input.press(.enter, at: now) }
  }

  private func key(_ dice: Dice, _ now: Int64) {
    let key = Key(rawValue: UInt8(dice.below(18))) ?? .enter
    tell?("key \(key)")
    board.input.press(key, Modifiers(rawValue: UInt8(dice.below(8))), at: now)
  }

  private func press(_ dice: Dice) {
    let button = dice.chance(1, in: 2) ? board.button : board.talkButton
    let time = dice.pick([50, 400, 1_500, 3_500])
    tell?("a button for \(time) ms")
    button.set(true)
    board.pass(Int64(time))
    button.set(false)
  }

  private func position(_ dice: Dice, _ now: Int64) {
    tell?("position")
    if dice.chance(1, in: 9) { return board.receiver.lose() }
    board.agent.boardChanged(.serialPorts)
    var bytes = FuzzReceiver.epoch
    if dice.chance(1, in: 3) { bytes[dice.below(bytes.count)] = dice.byte() }
    board.receiver.feed(bytes, at: now)
  }

  private func move(_ dice: Dice) {
    tell?("the board moves")
    board.motion.isThere = !dice.chance(1, in: 20)
    let extreme: [Float] = [0, 1, -1, 16, -16, 1e38, .infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    for index in 0..<dice.below(60) {
      let isOdd = dice.chance(1, in: 40)
      let z: Float = isOdd ? dice.pick(extreme) : index % 25 < 12 ? 1.3 : 0.8
      board.motion.samples.append(
        MotionSample(
          acceleration: Vector3(isOdd ? dice.pick(extreme) : 0, 0, z),
          rotation: Vector3(0, 0, isOdd ? dice.pick(extreme) : 0)))
    }
    board.pass(400)
  }
}

/// A line of a socket is one JSON object.
func checkLine(_ line: UnsafeBufferPointer<UInt8>, _ who: String) {
  var isJSON = true
  do throws(JSONError) { try JSONValidator.check(Span(_unsafeElements: line), depthLimit: 512) } catch {
    isJSON = false
  }
  expect(
    isJSON && !line.contains(0x0A), "\(who): no line of JSON: \(String(decoding: line.prefix(300), as: UTF8.self))")
}
