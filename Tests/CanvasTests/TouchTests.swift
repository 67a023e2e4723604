import Runtime
import Testing

@testable import Canvas

@Suite("Touch panels")
struct TouchTests {
  private let x = AbsoluteCode.touchX, y = AbsoluteCode.touchY, slot = AbsoluteCode.slot, id = AbsoluteCode.trackingID

  @Test("devices are told apart by what they say of themselves")
  func kinds() {
    #expect(InputTraits.touch(slots: true).kind == .touchSlots)
    #expect(InputTraits.touch(slots: false).kind == .touchContacts)
    #expect(InputTraits.single(isNoisy: true).kind == .touchSingle)
    #expect(InputTraits.single(isNoisy: true).isNoisy && !InputTraits.single(isNoisy: false).isNoisy)
    #expect(InputTraits.tablet.kind == .pointer)
    #expect(InputTraits.mouse.kind == .mouse)
    #expect(InputTraits.keyboard.kind == .keyboard)
    #expect(InputTraits.encoder.kind == .encoder)
    #expect(InputTraits.dial.kind == .dial)
    #expect(InputTraits.keys(KeyCode.volumeUp, KeyCode.volumeDown).kind == .keys)
    #expect(InputTraits.keys(116).kind == .none)
    #expect(InputTraits().kind == .none)
    var pad = InputTraits.touch(slots: true)
    pad.properties = 1
    pad.add(key: ButtonCode.left)
    pad.add(absolute: AbsoluteCode.x)
    pad.add(absolute: AbsoluteCode.y)
    #expect(pad.kind == .touchPad)
    var shaken = InputTraits.touch(slots: true)
    shaken.properties = 1 << 6
    #expect(shaken.kind == .none)
  }

  @Test("a finger by slots goes down, moves and goes up at the end of each report")
  func slots() {
    var device = Device(.touch(slots: true))
    device.send(EventType.absolute, id, 7)
    device.send(EventType.absolute, x, 500)
    device.send(EventType.absolute, y, 0)
    #expect(device.take().isEmpty)
    device.report()
    #expect(device.take() == [.pointer(.down, id: 0, Point(50, 0))])
    device.place((x, 999), (y, 999))
    #expect(device.take() == [.pointer(.move, id: 0, Point(99, 49))])
    device.place((x, 999))
    #expect(device.take().isEmpty)
    device.place((slot, 1), (id, 8), (x, 0), (y, 0))
    #expect(device.take() == [.pointer(.down, id: 1, Point(0, 0))])
    device.place((slot, 0), (id, -1))
    #expect(device.take() == [.pointer(.up, id: 0, Point(99, 49))])
    #expect(device.times.last == 1040)
    device.place((slot, 1), (id, 9), (x, 100))
    #expect(device.take() == [.pointer(.up, id: 1, Point(0, 0)), .pointer(.down, id: 1, Point(10, 0))])
  }

  @Test("fingers beyond those told apart are passed over")
  func manyFingers() {
    var device = Device(.touch(slots: true))
    for finger in 0..<Int32(Budget.touchPoints + 3) {
      device.place((slot, finger), (id, finger), (x, finger), (y, 0))
    }
    #expect(device.take().count == Budget.touchPoints)
    device.place((slot, -5), (id, 1), (x, 3))
    device.place((slot, .max), (id, 1), (x, 3))
    #expect(device.take().isEmpty)
  }

  @Test("rows of contacts keep the finger that is nearest, in any order")
  func contacts() {
    var device = Device(.touch(slots: false))
    func send(_ places: [(Int32, Int32)]) {
      for (left, top) in places {
        device.send(EventType.absolute, x, left)
        device.send(EventType.absolute, y, top)
        device.send(EventType.sync, SyncCode.contact, 0)
      }
      if places.isEmpty { device.send(EventType.sync, SyncCode.contact, 0) }
      device.report()
    }
    send([(100, 100)])
    #expect(device.take() == [.pointer(.down, id: 0, Point(10, 5))])
    send([(900, 900), (120, 100)])
    #expect(device.take() == [.pointer(.move, id: 0, Point(12, 5)), .pointer(.down, id: 1, Point(90, 45))])
    send([(880, 900)])
    #expect(device.take() == [.pointer(.up, id: 0, Point(12, 5)), .pointer(.move, id: 1, Point(88, 45))])
    send([])
    #expect(device.take() == [.pointer(.up, id: 1, Point(88, 45))])
    send((0..<20).map { (Int32($0) * 50, 0) })
    #expect(device.take().count == Budget.touchPoints)
    send([])
    #expect(device.take().count == Budget.touchPoints)
  }

  @Test("one finger, exact: where it is; noisy: not the first place, then the middle of three")
  func single() {
    var exact = Device(.single(isNoisy: false))
    exact.send(EventType.key, ButtonCode.touch, 1)
    exact.place((AbsoluteCode.x, 600), (AbsoluteCode.y, 600))
    #expect(exact.take() == [.pointer(.down, id: 0, Point(50, 25))])
    exact.key(ButtonCode.touch, 0)
    #expect(exact.take() == [.pointer(.up, id: 0, Point(50, 25))])

    var noisy = Device(.single(isNoisy: true))
    noisy.send(EventType.key, ButtonCode.touch, 1)
    noisy.place((AbsoluteCode.x, 1099), (AbsoluteCode.y, 1099))
    #expect(noisy.take().isEmpty)
    noisy.place((AbsoluteCode.x, 600), (AbsoluteCode.y, 600))
    #expect(noisy.take() == [.pointer(.down, id: 0, Point(50, 25))])
    noisy.place((AbsoluteCode.x, 1090))
    #expect(noisy.take().isEmpty)
    noisy.place((AbsoluteCode.x, 620))
    #expect(noisy.take() == [.pointer(.move, id: 0, Point(52, 25))])
    noisy.key(ButtonCode.touch, 0)
    #expect(noisy.take() == [.pointer(.up, id: 0, Point(52, 25))])
  }

  @Test("a touch is where it shows, however the panel is turned", arguments: [Rotation.none, .quarter, .half, .threeQuarters])
  func rotation(_ rotation: Rotation) {
    let size = rotation.turned(Size(100, 50))
    for place in [Point(0, 0), Point(size.width - 1, 0), Point(3, size.height - 1), Point(size.width / 2, 7)] {
      let panel = ReferencePanel.place(place, size, rotation)
      var traits = InputTraits.touch(slots: true)
      (traits.touchX, traits.touchY) = (AxisRange(0, 9999), AxisRange(0, 4999))
      var device = Device(traits, rotation: rotation, size: size)
      device.place((id, 1), (x, panel.x * 100 + 50), (y, panel.y * 100 + 50))
      #expect(device.take() == [.pointer(.down, id: 0, place)])
    }
  }

  @Test("calibration moves, turns and mirrors, and nothing leaves the canvas")
  func calibration() {
    var mirrored = Device(.touch(slots: true), calibration: TouchCalibration(-1, 0, 1, 0, 1, 0))
    mirrored.place((id, 1), (x, 0), (y, 0))
    #expect(mirrored.take() == [.pointer(.down, id: 0, Point(99, 0))])
    var swapped = Device(.touch(slots: true), calibration: TouchCalibration(0, 1, 0, 1, 0, 0))
    swapped.place((id, 1), (x, 0), (y, 500))
    #expect(swapped.take() == [.pointer(.down, id: 0, Point(50, 0))])
    var mad = Device(.touch(slots: true), calibration: TouchCalibration(.nan, 0, 0, 0, .infinity, -3e38))
    mad.place((id, 1), (x, 500), (y, 500))
    guard case .pointer(.down, 0, let place)? = mad.take().first else { return #expect(Bool(false)) }
    #expect(Rect(0, 0, 100, 50).contains(place))
  }

  @Test("after lost events nothing is told until the state is known, and fingers begin anew")
  func dropped() {
    var device = Device(.touch(slots: true))
    device.place((id, 1), (x, 100), (y, 100))
    _ = device.take()
    device.send(EventType.sync, SyncCode.dropped, 0)
    device.place((x, 900))
    #expect(device.take().isEmpty && device.decoder.needsState)
    device.place((x, 950))
    #expect(device.take().isEmpty)
    var state = InputState()
    state.fingers[1] = 5
    (state.xs[1], state.ys[1], state.slot) = (500, 500, 1)
    device.restore(state)
    #expect(!device.decoder.needsState)
    #expect(device.take() == [.pointer(.cancel, id: 0, Point(10, 5)), .pointer(.down, id: 1, Point(50, 25))])
    device.place((x, 600))
    #expect(device.take() == [.pointer(.move, id: 1, Point(60, 25))])
    device.send(EventType.sync, SyncCode.dropped, 0)
    device.report()
    device.restore(nil)
    #expect(device.take() == [.pointer(.cancel, id: 1, Point(60, 25))])
  }

  @Test("a panel that is unplugged cancels what was down")
  func unplugged() {
    for traits in [InputTraits.touch(slots: true), .single(isNoisy: false)] {
      var device = Device(traits)
      device.send(EventType.key, ButtonCode.touch, 1)
      device.place((id, 1), (x, 100), (y, 100), (AbsoluteCode.x, 200), (AbsoluteCode.y, 200))
      _ = device.take()
      device.end()
      #expect(device.take() == [.pointer(.cancel, id: 0, Point(10, 5))])
      device.end()
      #expect(device.take().isEmpty)
    }
  }
}
