R"js((function (host, run, width, height, ratio) {
"use strict";
const { stringify, parse } = JSON;
const limits = "scripts here have a 2D canvas, timers, console and openclawA2UI, but no document tree, network, workers " +
  "or modules. Send user interfaces with canvas.a2ui.push";
const unavailable = name => new TypeError(`${name} is not available: ${limits}`);
const absent = name => ({ [name]() { throw unavailable(name) } })[name];
const define = (object, members) => {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });
};
const accessor = (object, name, get, set) =>
  Object.defineProperty(object, name, { get, set, configurable: true, enumerable: true });

// Results. An evaluation answers once, and not for one that came after it.
let open = 0;
const describe = error => {
  try {
    if (!(error instanceof Error)) return [`Uncaught ${text(error)}`, 0];
    const at = /\beval:(\d+)/.exec(String(error.stack));
    return [`${error.name}: ${error.message}`, at ? Number(at[1]) : 0];
  } catch {
    return ["Error: the script threw something that cannot be shown", 0];
  }
};
const text = value => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return String(value);
  return stringify(value) ?? "";
};
const fail = error => {
  const [message, line] = describe(error);
  host.failure(line, message);
};
const finish = value => {
  const mine = ++open;
  const settle = value => {
    if (mine !== open) return;
    try { host.result(text(value)) } catch (error) { fail(error) }
  };
  try {
    const then = value !== null && (typeof value === "object" || typeof value === "function") && value.then;
    if (typeof then !== "function") return settle(value);
    new Promise(resolve => resolve(value)).then(settle, error => { if (mine === open) fail(error) });
  } catch (error) {
    fail(error);
  }
};
const forget = () => { open++ };

// The console.
const shown = value => {
  if (typeof value === "string") return value;
  if (value instanceof Error) return describe(value)[0];
  try { return stringify(value) ?? String(value) } catch { return Object.prototype.toString.call(value) }
};
const say = level => (...values) => host.log(level, values.map(shown).join(" "));
const [inform, warn, complain] = [say(0), say(1), say(2)];
define(globalThis, {
  console: { log: inform, info: inform, debug: inform, trace: inform, table: inform, warn, error: complain, assert(isTrue, ...rest) { if (!isTrue) complain("Assertion failed:", ...rest) } },
});
const report = error => {
  const [message, line] = describe(error);
  complain(line ? `${message} (line ${line})` : message);
};

// Timers and frames.
const mostTimers = 256, longestTurn = 100;
const timers = new Map(), frames = new Map();
let lastTimer = 0;
const callable = (name, callback) => {
  if (typeof callback !== "function") throw new TypeError(`${name} takes a function`);
  if (timers.size + frames.size >= mostTimers) throw new RangeError(`${name}: more than ${mostTimers} timers and frames`);
  return ++lastTimer;
};
const timer = (name, repeats) => ({
  [name](callback, delay, ...values) {
    const id = callable(name, callback), wait = Math.max(Number(delay) || 0, 0);
    timers.set(id, { due: host.now() + wait, every: repeats ? wait : -1, callback, values });
    return id;
  },
})[name];
const clear = id => { timers.delete(Number(id)) };
const begin = (callback, ...values) => {
  const result = run(report, callback, ...values);
  if (result instanceof Promise) result.catch(report);
};
const turn = drawsFrame => {
  const start = host.now();
  const due = [...timers].filter(([, timer]) => timer.due <= start).sort((a, b) => a[1].due - b[1].due);
  for (const [id, timer] of due) {
    if (!timers.has(id)) continue;
    if (timer.every < 0) timers.delete(id); else timer.due = Math.max(timer.due + timer.every, start);
    begin(timer.callback, ...timer.values);
    if (host.now() - start > longestTurn) return;
  }
  if (!drawsFrame) return;
  const now = performance.now();
  for (const [id, callback] of [...frames]) {
    if (!frames.delete(id)) continue;
    begin(callback, now);
    if (host.now() - start > longestTurn) return;
  }
};
const schedule = () => {
  let next = Infinity;
  for (const timer of timers.values()) next = Math.min(next, timer.due);
  host.schedule(next, frames.size);
};
const origin = host.now();
define(globalThis, {
  setTimeout: timer("setTimeout", false), setInterval: timer("setInterval", true), clearTimeout: clear, clearInterval: clear,
  requestAnimationFrame(callback) {
    const id = callable("requestAnimationFrame", callback);
    frames.set(id, callback);
    return id;
  },
  cancelAnimationFrame(id) { frames.delete(Number(id)) },
  queueMicrotask(callback) {
    if (typeof callback !== "function") throw new TypeError("queueMicrotask takes a function");
    Promise.resolve().then(callback).catch(report);
  },
  performance: { now: () => host.now() - origin, timeOrigin: Date.now() },
});

// Events: of scripts, and the status of actions.
class Event {
  constructor(type, options) { define(this, { type: String(type), cancelable: !!options?.cancelable, defaultPrevented: false }) }
  preventDefault() { this.defaultPrevented = this.cancelable }
  stopPropagation() {}
}
class CustomEvent extends Event {
  constructor(type, options) { super(type, options); this.detail = options?.detail ?? null }
}
const listeners = new Map();
const events = {
  addEventListener(type, listener) {
    if (typeof listener !== "function" && typeof listener?.handleEvent !== "function") return;
    const found = listeners.get(String(type)) ?? new Set();
    if (found.size >= mostTimers) throw new RangeError(`addEventListener: more than ${mostTimers} listeners`);
    listeners.set(String(type), found.add(listener));
  },
  removeEventListener(type, listener) { listeners.get(String(type))?.delete(listener) },
  dispatchEvent(event) {
    for (const listener of [...listeners.get(event.type) ?? []]) {
      try { typeof listener === "function" ? listener.call(globalThis, event) : listener.handleEvent(event) } catch (error) { report(error) }
    }
    return !event.defaultPrevented;
  },
};
define(globalThis, { ...events, Event, CustomEvent });

// The window and its document.
define(globalThis, { window: globalThis, self: globalThis, navigator: { userAgent: "Talon" } });
accessor(globalThis, "innerWidth", () => Math.floor(width));
accessor(globalThis, "innerHeight", () => Math.floor(height));
accessor(globalThis, "devicePixelRatio", () => ratio);
const address = "about:blank";
const location = { toString: () => address };
accessor(location, "href", () => address, () => { throw unavailable("Setting location.href (canvas.navigate shows another page)") });
accessor(globalThis, "location", () => location, value => { location.href = value });
let title = "";
const document = {
  ...events, readyState: "complete", visibilityState: "visible", hidden: false, location,
  querySelector: () => null, querySelectorAll: () => [], getElementById: () => null,
  getElementsByClassName: () => [], getElementsByTagName: () => [],
  createElement: absent("document.createElement"), createElementNS: absent("document.createElementNS"),
  createTextNode: absent("document.createTextNode"), write: absent("document.write"),
};
accessor(document, "title", () => title, value => { host.title(title = String(value)) });
for (const name of ["body", "head", "documentElement"])
  accessor(document, name, () => { throw unavailable(`document.${name}`) });
define(globalThis, { document });
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker", "importScripts",
  "Path2D", "OffscreenCanvas", "alert", "confirm", "prompt"]) define(globalThis, { [name]: function () { throw unavailable(name) } });

// The 2D context. What has no arguments to look at is the page's own function.
const [fillCode, strokeCode] = [0, 1];
const gradients = new Map();
const lost = new FinalizationRegistry(([drop, id]) => { gradients.delete(id); host[drop](id) });
let mayConstruct = false;
const construct = (type, ...values) => {
  mayConstruct = true;
  try { return new type(...values) } finally { mayConstruct = false }
};
const guardConstructor = () => {
  if (!mayConstruct) throw new TypeError("Illegal constructor");
  mayConstruct = false;
};
class CanvasGradient {
  #id;
  constructor(id) {
    guardConstructor();
    this.#id = id;
    gradients.set(id, new WeakRef(this));
    lost.register(this, ["dropGradient", id]);
  }
  static id(gradient) { return gradient.#id }
  addColorStop(offset, color) { host.addStop(this.#id, offset, String(color)) }
}
const gradientID = CanvasGradient.id;
delete CanvasGradient.id;
const rule = name => {
  if (name !== null && typeof name === "object") throw unavailable("Path2D");
  return name === "evenodd" ? 1 : 0;
};
class TextMetrics {
  constructor(measured) {
    guardConstructor();
    const [width, ascent, descent] = measured;
    Object.assign(this, {
      width, actualBoundingBoxLeft: 0, actualBoundingBoxRight: width, actualBoundingBoxAscent: ascent,
      actualBoundingBoxDescent: descent, fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent,
    });
  }
}
const six = m => [m.a ?? m.m11 ?? 1, m.b ?? m.m12 ?? 0, m.c ?? m.m21 ?? 0, m.d ?? m.m22 ?? 1, m.e ?? m.m41 ?? 0, m.f ?? m.m42 ?? 0];
class CanvasRenderingContext2D {
  constructor(canvas) {
    guardConstructor();
    define(this, { canvas });
  }
  setTransform(...values) {
    host.setTransform(...values.length === 0 ? [1, 0, 0, 1, 0, 0] : values.length === 1 ? six(values[0]) : values);
  }
  getTransform() {
    const [a, b, c, d, e, f] = host.getTransform();
    return { a, b, c, d, e, f, m11: a, m12: b, m21: c, m22: d, m41: e, m42: f, is2D: true };
  }
  roundRect(x, y, width, height, radii = 0) {
    const list = typeof radii !== "object" || radii === null || !(Symbol.iterator in radii) ? [radii] : [...radii];
    if (list.length < 1 || list.length > 4) throw new RangeError("roundRect takes one to four radii");
    const pairs = list.flatMap(radius => typeof radius === "object" ? [radius.x, radius.y] : [radius, radius]);
    host.roundRect(x, y, width, height, ...pairs);
  }
  fill(name) { host.fill(rule(name)) }
  clip(name) { host.clip(rule(name)) }
  stroke(path) { rule(path); host.stroke() }
  isPointInPath(x, y, name) {
    rule(x);
    return host.isPointInPath(x, y, rule(name));
  }
  fillText(text, x, y, most) { host.fillText(x, y, most, String(text)) }
  strokeText(text, x, y, most) { host.strokeText(x, y, most, String(text)) }
  measureText(text) { return construct(TextMetrics, host.measureText(String(text))) }
  setLineDash(lengths) { host.dashes(...lengths) }
  getLineDash() { return host.getDashes() }
  createLinearGradient(...places) { return construct(CanvasGradient, host.linearGradient(...places)) }
  createRadialGradient(...places) { return construct(CanvasGradient, host.radialGradient(...places)) }
  drawImage(image, ...places) {
    if (!(image instanceof HTMLImageElement)) throw new TypeError("drawImage takes an Image, made from a data: URL");
    const [id, width, height] = imageParts(image);
    if (!id) throw new TypeError("drawImage: the image is not loaded");
    const [a, b, c = width, d = height, ...target] = places;
    if (target.length === 0) return host.drawImage(id, 0, 0, width, height, a, b, c, d);
    host.drawImage(id, a, b, c, d, ...target);
  }
}
const drawing = CanvasRenderingContext2D.prototype;
for (const name of ["save", "restore", "translate", "rotate", "scale", "transform", "resetTransform", "beginPath", "closePath",
  "moveTo", "lineTo", "quadraticCurveTo", "bezierCurveTo", "arc", "arcTo", "ellipse", "rect", "clearRect",
  "fillRect", "strokeRect"]) define(drawing, { [name]: host[name] });
for (const name of ["createPattern", "createConicGradient", "createImageData", "getImageData", "putImageData",
  "isPointInStroke"])
  define(drawing, { [name]: absent(name) });
const property = (name, code, coerce) => accessor(drawing, name, () => host.get(code), value => host.set(code, coerce(value)));
const word = (name, code) => accessor(drawing, name, () => host.get(code), value => host.set(code, 0, String(value)));
const style = (name, code) => accessor(drawing, name, () => {
  const found = host.get(code);
  return typeof found === "number" ? gradients.get(found)?.deref() ?? "#000000" : found;
}, value => value instanceof CanvasGradient ? host.setStyle(code, gradientID(value)) : host.set(code, 0, String(value)));
style("fillStyle", fillCode);
style("strokeStyle", strokeCode);
["lineWidth", "miterLimit", "globalAlpha", "lineDashOffset"].forEach((name, place) => property(name, 2 + place, Number));
accessor(drawing, "imageSmoothingEnabled", () => host.get(6) === 1, value => host.set(6, value ? 1 : 0));
["lineCap", "lineJoin", "globalCompositeOperation", "textAlign", "textBaseline", "font"]
  .forEach((name, place) => word(name, 7 + place));
for (const [name, usual] of [["shadowColor", "rgba(0, 0, 0, 0)"], ["shadowBlur", 0], ["shadowOffsetX", 0], ["shadowOffsetY", 0], ["filter", "none"]]) {
  let hasWarned = false;
  accessor(drawing, name, () => usual, () => {
    if (!hasWarned) warn(`${name} is ignored: drawn without shadows and filters`);
    hasWarned = true;
  });
}

let context;
class HTMLCanvasElement {
  #width = Math.round(width * ratio);
  #height = Math.round(height * ratio);
  constructor() {
    guardConstructor();
    context = construct(CanvasRenderingContext2D, this);
    this.#fit();
    host.scale(ratio, ratio);
  }
  #fit() { host.size(this.#width, this.#height) }
  static fit(canvas) {
    canvas.#width = Math.round(width * ratio);
    canvas.#height = Math.round(height * ratio);
    canvas.#fit();
    host.scale(ratio, ratio);
  }
  get width() { return this.#width }
  set width(value) { this.#width = Math.max(Math.trunc(Number(value)) || 0, 0); this.#fit() }
  get height() { return this.#height }
  set height(value) { this.#height = Math.max(Math.trunc(Number(value)) || 0, 0); this.#fit() }
  get clientWidth() { return width }
  get clientHeight() { return height }
  getContext(kind) { return kind === "2d" ? context : null }
  getBoundingClientRect() { return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height } }
}
const fit = HTMLCanvasElement.fit;
delete HTMLCanvasElement.fit;
for (const name of ["toDataURL", "toBlob"]) define(HTMLCanvasElement.prototype, { [name]: absent(name) });
define(HTMLCanvasElement.prototype, events);
const canvas = construct(HTMLCanvasElement);

class HTMLImageElement {
  #source = "";
  #parts = [0, 0, 0];
  onload = null;
  onerror = null;
  get src() { return this.#source }
  set src(value) {
    this.#source = String(value);
    this.#parts = [0, 0, 0];
    let error = null;
    try {
      if (!/^data:/i.test(this.#source)) throw unavailable("An image from elsewhere than a data: URL");
      this.#parts = host.image(this.#source);
      lost.register(this, ["dropImage", this.#parts[0]]);
    } catch (caught) {
      error = caught;
    }
    Promise.resolve().then(() => {
      const listener = error ? this.onerror : this.onload;
      if (typeof listener === "function") listener.call(this, new Event(error ? "error" : "load"));
      else if (error) report(error);
    }).catch(report);
  }
  get complete() { return this.#source === "" || this.#parts[0] !== 0 }
  get width() { return this.#parts[1] }
  get height() { return this.#parts[2] }
  get naturalWidth() { return this.#parts[1] }
  get naturalHeight() { return this.#parts[2] }
  decode() { return this.#parts[0] ? Promise.resolve() : Promise.reject(new TypeError("the image cannot be decoded")) }
  static parts(image) { return image.#parts }
  addEventListener(type, listener) { if (type === "load" || type === "error") this[`on${type}`] = listener }
}
const imageParts = HTMLImageElement.parts;
delete HTMLImageElement.parts;
define(globalThis, { HTMLCanvasElement, HTMLImageElement, Image: HTMLImageElement, CanvasRenderingContext2D, CanvasGradient, TextMetrics });

// What OpenClaw's own page has.
let showsStatus = false;
const orNothing = value => value === undefined || value === null ? "" : String(value);
define(globalThis, {
  __openclaw: {
    canvas, ctx: context,
    setDebugStatusEnabled(enabled) {
      showsStatus = !!enabled;
      if (!showsStatus) host.status(0);
    },
    setStatus(title, subtitle) {
      if (!showsStatus) return;
      if (title === null && subtitle === null) return host.status(0);
      host.status(1, orNothing(title ?? "Ready"), orNothing(subtitle ?? "Waiting for agent"));
    },
    renderHome(payload) {
      if (payload === null || typeof payload !== "object") throw new TypeError("renderHome takes an object");
      const agent = [payload.activeAgentBadge, payload.activeAgentName].map(orNothing).filter(Boolean).join(" ");
      const lines = [payload.eyebrow, payload.title, payload.subtitle, agent || payload.gatewayLabel, payload.footer];
      host.home(lines.map(line => orNothing(line).replace(/\s+/g, " ")).join("\n"));
    },
  },
  openclawA2UI: {
    applyMessages(messages) { return parse(host.push(stringify(messages) ?? "null")) },
    reset() {
      host.reset();
      return { ok: true };
    },
    getSurfaces() { return parse(host.surfaces()).surfaces },
  },
});
const send = given => {
  let action = typeof given === "string" ? parse(given) : given;
  action = action?.userAction ?? action;
  if (action === null || typeof action !== "object") throw new TypeError("an action is an object with a name");
  const id = orNothing(action.id) || `action-${++lastTimer}`;
  globalThis.__openclawLastA2UIAction = action;
  let error = "";
  try { host.action(stringify({ ...action, id })) } catch (caught) { error = caught.message }
  const event = new CustomEvent("openclaw:a2ui-action-status", { detail: { id, ok: error === "", error } });
  Promise.resolve().then(() => dispatch(event));
  if (error) throw new Error(error);
  return true;
};
const dispatch = events.dispatchEvent;
define(globalThis, {
  OpenClaw: { sendUserAction: send }, openclawSendUserAction: send, openclawCanvasA2UIAction: { postMessage: send },
});

return {
  finish, fail, forget, turn, schedule, text,
  resize(toWidth, toHeight, toRatio) {
    [width, height, ratio] = [toWidth, toHeight, toRatio];
    fit(canvas);
    dispatch(new Event("resize"));
  },
};
}))js"
