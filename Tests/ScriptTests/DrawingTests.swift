import Canvas
import Graphics
import Runtime
import Testing

@Suite struct DrawingTests {
  /// The color of a pixel after a program.
  private func pixel(_ stage: Stage, _ x: Int, _ y: Int) -> UInt32? {
    guard let pixels = stage.drawing else { return nil }
    return pixels.pixels[y * Int(pixels.size.width) + x]
  }

  @Test("The snippet of OpenClaw's documentation draws")
  func documented() throws {
    let stage = try Stage()
    let told = stage.evaluate(
      """
      (() => {
        const {ctx} = window.__openclaw;
        ctx.clearRect(0, 0, innerWidth, innerHeight);
        ctx.lineWidth = 3;
        ctx.strokeStyle = '#ff2d55';
        ctx.beginPath();
        ctx.moveTo(40, 40);
        ctx.lineTo(innerWidth - 40, innerHeight - 40);
        ctx.stroke();
        return 'ok';
      })()
      """)
    #expect(told == "ok")
    #expect(stage.drawings == 1)
    #expect(pixel(stage, 240, 160) == 0xFFFF_2D55)
    #expect(pixel(stage, 240, 40) == 0)
  }

  @Test("A program that draws nothing changes nothing")
  func nothing() throws {
    let stage = try Stage()
    #expect(stage.evaluate("__openclaw.ctx.fillStyle = 'red'; 1") == "1")
    #expect(stage.drawings == 0)
  }

  @Test(
    "Properties are what they were set to, and ignore what is no value",
    arguments: [
      ("fillStyle", "'red'", "#ff0000"), ("strokeStyle", "'no colour'", "#000000"), ("lineWidth", "4", "4"),
      ("lineWidth", "-1", "1"),
      ("globalAlpha", "0.5", "0.5"), ("lineCap", "'round'", "round"), ("lineJoin", "'x'", "miter"),
      ("textAlign", "'center'", "center"),
      ("textBaseline", "'top'", "top"), ("globalCompositeOperation", "'copy'", "copy"),
      ("imageSmoothingEnabled", "false", "false"),
      ("lineDashOffset", "2", "2"), ("miterLimit", "3", "3"),
    ])
  func properties(_ name: String, _ value: String, _ result: String) throws {
    #expect(try Stage().evaluate("__openclaw.ctx.\(name) = \(value); __openclaw.ctx.\(name)") == result)
  }

  @Test("Transforms, dashes, gradients and tests of places")
  func others() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "const c = __openclaw.ctx; c.translate(3, 4); c.scale(2, 2); const m = c.getTransform(); [m.a, m.e, m.f]")
        == "[2,3,4]")
    #expect(stage.evaluate("c.setTransform({a: 1, d: 1}); c.getTransform().a") == "1")
    #expect(stage.evaluate("c.setLineDash([1, 2]); c.getLineDash()") == "[1,2]")
    #expect(
      stage.evaluate("c.beginPath(); c.rect(0, 0, 10, 10); [c.isPointInPath(5, 5), c.isPointInPath(15, 5)]")
        == "[true,false]")
    #expect(
      stage.evaluate(
        "const g = c.createLinearGradient(0, 0, 100, 0); g.addColorStop(0, 'lime'); g.addColorStop(1, 'lime'); c.fillStyle = g; c.fillRect(0, 0, 100, 10); c.fillStyle === g"
      ) == "true")
    #expect(pixel(stage, 50, 5) == 0xFF00_FF00)
    #expect(stage.evaluate("g.addColorStop(2, 'red')").contains("IndexSizeError"))
    #expect(stage.evaluate("c.arc(0, 0, -1, 0, 1)").contains("radius"))
    #expect(stage.evaluate("c.moveTo(1)").contains("2 arguments required"))
    #expect(stage.evaluate("new CanvasRenderingContext2D()").contains("Illegal constructor"))
    #expect(stage.evaluate("c.save(); c.lineWidth = 9; c.restore(); c.lineWidth") == "1")
  }

  @Test("Setting the width begins anew")
  func width() throws {
    let stage = try Stage()
    _ = stage.evaluate("const d = __openclaw; d.ctx.fillRect(0, 0, 9, 9); d.ctx.lineWidth = 5")
    #expect(stage.evaluate("d.canvas.width = 200; [d.canvas.width, d.canvas.height, d.ctx.lineWidth]") == "[200,320,1]")
    _ = stage.evaluate("d.ctx.fillRect(0, 0, 1, 1)")
    #expect(stage.drawing?.size == Size(200, 320))
    #expect(pixel(stage, 5, 5) == 0)
  }

  @Test("An image comes from a data: URL, and is drawn")
  func images() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "const i = new Image(); const p = new Promise((a, b) => { i.onload = a; i.onerror = b }); i.src = 'data:image/png;base64,AAAA'; await p; [i.width, i.height, i.complete]"
      ) == "[2,2,true]")
    #expect(stage.evaluate("__openclaw.ctx.drawImage(i, 0, 0, 20, 20); 1") == "1")
    #expect(pixel(stage, 10, 10) == 0xFF12_3456)
    #expect(
      stage.evaluate(
        "const j = new Image(); const q = new Promise((a, b) => { j.onload = a; j.onerror = () => a('no') }); j.src = 'https://a/b.png'; await q"
      ) == "no")
    #expect(stage.evaluate("__openclaw.ctx.drawImage({}, 0, 0)").contains("data: URL"))
    #expect(
      stage.evaluate(
        "globalThis.all = []; for (let n = 0; n < 9; n++) { const k = new Image(); k.onerror = () => globalThis.full = true; k.src = 'data:;base64,AAAA'; all.push(k) } await null; await null; full"
      ) == "true")
  }

  @Test("The card of OpenClaw's page is gated, and home has its lines")
  func card() throws {
    let stage = try Stage()
    _ = stage.evaluate("__openclaw.setStatus('Hidden', 'x')")
    #expect(stage.scheduler.card.kind == nil)
    _ = stage.evaluate("__openclaw.setDebugStatusEnabled(true); __openclaw.setStatus('Title')")
    #expect(stage.scheduler.card.kind == .status)
    #expect(InlineText<192>(cutting: "Title") == stage.scheduler.card.lines[0])
    #expect(InlineText<192>(cutting: "Waiting for agent") == stage.scheduler.card.lines[1])
    #expect(stage.drawings == 1)
    _ = stage.evaluate("__openclaw.setStatus(null, null)")
    #expect(stage.scheduler.card.kind == nil)
    _ = stage.evaluate("__openclaw.renderHome({title: 'Kitchen', subtitle: 'two\\nlines', gatewayState: 'connected'})")
    #expect(stage.scheduler.card.kind == .home)
    #expect(InlineText<192>(cutting: "Kitchen") == stage.scheduler.card.lines[1])
    #expect(InlineText<192>(cutting: "two lines") == stage.scheduler.card.lines[2])
  }
}
