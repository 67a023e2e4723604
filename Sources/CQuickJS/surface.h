R"js((function (host, run, isPromise, width, height, ratio) {
"use strict";
// A page may replace every function of the language, and give any object a getter or a setter through its prototype. So what runs
// beside a page uses what was kept here, before the page ran, and syntax that asks nobody: indices instead of for-of, spreading
// and destructuring (they call Symbol.iterator), await instead of then, + instead of templates (this engine calls
// String.prototype.concat for them), rows instead of arrays that grow (a setter of Array.prototype would see what is added). What
// makes the page, once, may use everything. TamperTests find what was forgotten.
const page = globalThis;
const { Error, FinalizationRegistry, Map, Number, RangeError, Set, String, TypeError, WeakRef } = page;
const { stringify, parse } = JSON;
const { apply } = Reflect;
const { isError } = Error;
const { floor, max, min, round, trunc } = Math;
const { defineProperty, getOwnPropertyDescriptor } = Object;
// Calls a method with its object as the first argument.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const mapDelete = uncurry(Map.prototype.delete), mapEach = uncurry(Map.prototype.forEach), mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set), mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, "size").get);
const setAdd = uncurry(Set.prototype.add), setDelete = uncurry(Set.prototype.delete), setEach = uncurry(Set.prototype.forEach);
const setSize = uncurry(getOwnPropertyDescriptor(Set.prototype, "size").get);
const classOf = uncurry(Object.prototype.toString), deref = uncurry(WeakRef.prototype.deref);
const register = uncurry(FinalizationRegistry.prototype.register);
const codeAt = uncurry(String.prototype.charCodeAt), indexOf = uncurry(String.prototype.indexOf);
const lower = uncurry(String.prototype.toLowerCase), slice = uncurry(String.prototype.slice), trim = uncurry(String.prototype.trim);
const { iterator } = Symbol;
// They run code of the page while the engine makes an error, and show it the functions of this one.
for (const name of ["prepareStackTrace", "stackTraceLimit", "captureStackTrace"]) delete Error[name];
// A list that grows, and that apply takes as arguments: without a prototype, nobody sees what is added.
const row = () => ({ __proto__: null, length: 0 });
const add = (row, value) => { row[row.length++] = value };
const limits = "scripts here have a 2D canvas, timers, console and openclawA2UI, but no document tree, network, workers " +
  "or modules. Send user interfaces with canvas.a2ui.push";
const unavailable = name => new TypeError(name + " is not available: " + limits);
const absent = name => ({ [name]() { throw unavailable(name) } })[name];
const define = (object, members) => {
  for (const [name, value] of Object.entries(members))
    defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });
};
const accessor = (object, name, get, set) =>
  defineProperty(object, name, { get, set, configurable: true, enumerable: true });

// Results. An evaluation answers once, and not for one that came after it.
let open = 0;
const lineOf = stack => {
  let line = 0;
  for (let at = indexOf(stack, "eval:") + 5; at > 4 && at < stack.length; at++) {
    const digit = codeAt(stack, at) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    line = line * 10 + digit;
  }
  return line;
};
const describe = error => {
  try {
    if (!isError(error)) return { message: "Uncaught " + text(error), line: 0 };
    return { message: String(error.name) + ": " + String(error.message), line: lineOf(String(error.stack)) };
  } catch {
    return { message: "Error: the script threw something that cannot be shown", line: 0 };
  }
};
const text = value => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return String(value);
  return stringify(value) ?? "";
};
const fail = error => {
  const { message, line } = describe(error);
  host.failure(line, message);
};
const settle = (mine, value) => {
  if (mine !== open) return;
  try { host.result(text(value)) } catch (error) { fail(error) }
};
const wait = async (mine, promise, isWrapped) => {
  try {
    const value = await promise;
    settle(mine, isWrapped ? await value.value : value);
  } catch (error) {
    if (mine === open) fail(error);
  }
};
// The promise of a program that waits at its top is of an object around its value.
const finish = (value, isWrapped) => {
  const mine = ++open;
  try {
    const isObject = value !== null && (typeof value === "object" || typeof value === "function");
    if (isWrapped || isObject && typeof value.then === "function") wait(mine, value, isWrapped);
    else settle(mine, value);
  } catch (error) {
    fail(error);
  }
};
const forget = () => { open++ };

// The console.
const shown = value => {
  if (typeof value === "string") return value;
  if (isError(value)) return describe(value).message;
  try { return stringify(value) ?? String(value) } catch { }
  try { return classOf(value) } catch { return "something that cannot be shown" }
};
const write = (level, line, values) => {
  for (let at = 0; at < values.length; at++) line += (at || line ? " " : "") + shown(values[at]);
  host.log(level, line);
};
const say = level => (...values) => write(level, "", values);
const inform = say(0), warn = say(1), complain = say(2);
define(page, {
  console: {
    log: inform, info: inform, debug: inform, trace: inform, table: inform, warn, error: complain,
    assert(isTrue, ...values) { if (!isTrue) write(2, "Assertion failed:", values) },
  },
});
const report = error => {
  const { message, line } = describe(error);
  complain(line ? message + " (line " + line + ")" : message);
};
// After what runs now.
const later = async callback => {
  await undefined;
  try { await callback() } catch (error) { report(error) }
};
const watch = async promise => {
  try { await promise } catch (error) { report(error) }
};

// Timers and frames.
const mostTimers = 256, longestTurn = 100;
const timers = new Map(), frames = new Map();
let lastTimer = 0;
const callable = (name, callback) => {
  if (typeof callback !== "function") throw new TypeError(name + " takes a function");
  if (mapSize(timers) + mapSize(frames) >= mostTimers) throw new RangeError(name + ": more than 256 timers and frames");
  return ++lastTimer;
};
const timer = (name, repeats) => ({
  [name](callback, delay, ...values) {
    const id = callable(name, callback), wait = max(Number(delay) || 0, 0);
    mapSet(timers, id, { id, due: host.now() + wait, every: repeats ? wait : -1, callback, values });
    return id;
  },
})[name];
const clear = id => { mapDelete(timers, Number(id)) };
const begin = (callback, values) => {
  const result = run(report, apply, callback, undefined, values);
  if (isPromise(result)) watch(result);
};
// Those that are due, the earliest first.
const dueTimers = start => {
  const due = row();
  mapEach(timers, timer => {
    if (!(timer.due <= start)) return;
    let at = due.length++;
    for (; at > 0 && due[at - 1].due > timer.due; at--) due[at] = due[at - 1];
    due[at] = timer;
  });
  return due;
};
const turn = drawsFrame => {
  const start = host.now(), due = dueTimers(start);
  for (let at = 0; at < due.length; at++) {
    const timer = due[at];
    if (mapGet(timers, timer.id) !== timer) continue;
    if (timer.every < 0) mapDelete(timers, timer.id); else timer.due = max(timer.due + timer.every, start);
    begin(timer.callback, timer.values);
    if (host.now() - start > longestTurn) return;
  }
  if (!drawsFrame) return;
  const now = sinceOrigin(), waiting = row();
  mapEach(frames, (callback, id) => add(waiting, { id, callback }));
  for (let at = 0; at < waiting.length; at++) {
    if (!mapDelete(frames, waiting[at].id)) continue;
    begin(waiting[at].callback, [now]);
    if (host.now() - start > longestTurn) return;
  }
};
const schedule = () => {
  let next = Infinity;
  mapEach(timers, timer => { next = min(next, timer.due) });
  host.schedule(next, mapSize(frames));
};
const origin = host.now();
const sinceOrigin = () => host.now() - origin;
define(page, {
  setTimeout: timer("setTimeout", false), setInterval: timer("setInterval", true), clearTimeout: clear, clearInterval: clear,
  requestAnimationFrame(callback) {
    const id = callable("requestAnimationFrame", callback);
    mapSet(frames, id, callback);
    return id;
  },
  cancelAnimationFrame(id) { mapDelete(frames, Number(id)) },
  queueMicrotask(callback) {
    if (typeof callback !== "function") throw new TypeError("queueMicrotask takes a function");
    later(callback);
  },
  performance: { now: sinceOrigin, timeOrigin: Date.now() },
});

// Events: of scripts, and the status of actions.
class Event {
  type;
  cancelable;
  defaultPrevented = false;
  constructor(type, options) {
    this.type = String(type);
    this.cancelable = !!options?.cancelable;
  }
  preventDefault() { this.defaultPrevented = this.cancelable }
  stopPropagation() {}
}
class CustomEvent extends Event {
  detail;
  constructor(type, options) {
    super(type, options);
    this.detail = options?.detail ?? null;
  }
}
const listeners = new Map();
const events = {
  addEventListener(type, listener) {
    if (typeof listener !== "function" && typeof listener?.handleEvent !== "function") return;
    const name = String(type), found = mapGet(listeners, name) ?? new Set();
    if (setSize(found) >= mostTimers) throw new RangeError("addEventListener: more than 256 listeners");
    setAdd(found, listener);
    mapSet(listeners, name, found);
  },
  removeEventListener(type, listener) {
    const found = mapGet(listeners, String(type));
    if (found) setDelete(found, listener);
  },
  dispatchEvent(event) {
    const found = mapGet(listeners, event.type), told = row();
    if (found) setEach(found, listener => add(told, listener));
    for (let at = 0; at < told.length; at++) {
      const listener = told[at];
      try { typeof listener === "function" ? apply(listener, page, [event]) : listener.handleEvent(event) } catch (error) { report(error) }
    }
    return !event.defaultPrevented;
  },
};
const dispatch = events.dispatchEvent;
define(page, { ...events, Event, CustomEvent });

// The window and its document.
define(page, { window: page, self: page, navigator: { userAgent: "Talon" } });
accessor(page, "innerWidth", () => floor(width));
accessor(page, "innerHeight", () => floor(height));
accessor(page, "devicePixelRatio", () => ratio);
const address = "about:blank";
const location = { toString: () => address };
accessor(location, "href", () => address, () => { throw unavailable("Setting location.href (canvas.navigate shows another page)") });
accessor(page, "location", () => location, value => { location.href = value });
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
  accessor(document, name, () => { throw unavailable("document." + name) });
define(page, { document });
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker", "importScripts",
  "Path2D", "OffscreenCanvas", "alert", "confirm", "prompt"]) define(page, { [name]: function () { throw unavailable(name) } });
)js"
