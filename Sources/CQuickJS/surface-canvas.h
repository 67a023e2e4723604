R"js(// The 2D context. What has no arguments to look at is the page's own function.
const [fillCode, strokeCode] = [0, 1];
const gradients = new Map();
const lostGradients = new FinalizationRegistry(id => {
  mapDelete(gradients, id);
  host.dropGradient(id);
});
const lostImages = new FinalizationRegistry(id => host.dropImage(id));
// Only who has this makes what the page makes.
const key = {};
const guardConstructor = given => {
  if (given !== key) throw new TypeError("Illegal constructor");
};
class CanvasGradient {
  #id;
  constructor(given, id) {
    guardConstructor(given);
    this.#id = id;
    mapSet(gradients, id, new WeakRef(this));
    register(lostGradients, this, id);
  }
  static id(value) { return value !== null && typeof value === "object" && #id in value ? value.#id : undefined }
  addColorStop(offset, color) { host.addStop(this.#id, offset, String(color)) }
}
const gradientID = CanvasGradient.id;
delete CanvasGradient.id;
const rule = name => {
  if (name !== null && typeof name === "object") throw unavailable("Path2D");
  return name === "evenodd" ? 1 : 0;
};
class TextMetrics {
  width;
  actualBoundingBoxLeft = 0;
  actualBoundingBoxRight;
  actualBoundingBoxAscent;
  actualBoundingBoxDescent;
  fontBoundingBoxAscent;
  fontBoundingBoxDescent;
  constructor(given, measured) {
    guardConstructor(given);
    this.width = this.actualBoundingBoxRight = measured[0];
    this.actualBoundingBoxAscent = this.fontBoundingBoxAscent = measured[1];
    this.actualBoundingBoxDescent = this.fontBoundingBoxDescent = measured[2];
  }
}
// At most so many values of a list that the page gives: it is gone over as the page wants.
const taken = (values, most, complaint) => {
  const found = row();
  for (const value of values) {
    if (found.length >= most) throw new RangeError(complaint);
    add(found, value);
  }
  return found;
};
class CanvasRenderingContext2D {
  canvas;
  constructor(given, canvas) {
    guardConstructor(given);
    this.canvas = canvas;
  }
  setTransform(a, b, c, d, e, f) {
    if (arguments.length === 0) return host.setTransform(1, 0, 0, 1, 0, 0);
    if (arguments.length > 1) return apply(host.setTransform, undefined, arguments);
    host.setTransform(a.a ?? a.m11 ?? 1, a.b ?? a.m12 ?? 0, a.c ?? a.m21 ?? 0, a.d ?? a.m22 ?? 1, a.e ?? a.m41 ?? 0, a.f ?? a.m42 ?? 0);
  }
  getTransform() {
    const m = host.getTransform();
    return { a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5], m11: m[0], m12: m[1], m21: m[2], m22: m[3], m41: m[4], m42: m[5], is2D: true };
  }
  roundRect(x, y, width, height, radii = 0) {
    const isList = typeof radii === "object" && radii !== null && iterator in radii, complaint = "roundRect takes one to four radii";
    const list = isList ? taken(radii, 4, complaint) : row(), given = row();
    if (!isList) add(list, radii);
    if (list.length < 1) throw new RangeError(complaint);
    add(given, x), add(given, y), add(given, width), add(given, height);
    for (let at = 0; at < list.length; at++) {
      const radius = list[at], isPair = typeof radius === "object" && radius !== null;
      add(given, isPair ? radius.x : radius), add(given, isPair ? radius.y : radius);
    }
    apply(host.roundRect, undefined, given);
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
  measureText(text) { return new TextMetrics(key, host.measureText(String(text))) }
  setLineDash(lengths) { apply(host.dashes, undefined, taken(lengths, 32, "setLineDash: more than 32 lengths")) }
  getLineDash() { return host.getDashes() }
  createLinearGradient() { return new CanvasGradient(key, apply(host.linearGradient, undefined, arguments)) }
  createRadialGradient() { return new CanvasGradient(key, apply(host.radialGradient, undefined, arguments)) }
  drawImage(image, a, b, c, d, x, y, width, height) {
    const parts = imageParts(image);
    if (!parts) throw new TypeError("drawImage takes an Image, made from a data: URL");
    if (!parts.id) throw new TypeError("drawImage: the image is not loaded");
    if (arguments.length > 5) host.drawImage(parts.id, a, b, c, d, x, y, width, height);
    else host.drawImage(parts.id, 0, 0, parts.width, parts.height, a, b, c ?? parts.width, d ?? parts.height);
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
  if (typeof found !== "number") return found;
  const gradient = mapGet(gradients, found);
  return gradient && deref(gradient) || "#000000";
}, value => {
  const id = gradientID(value);
  if (id === undefined) host.set(code, 0, String(value)); else host.setStyle(code, id);
});
style("fillStyle", fillCode);
style("strokeStyle", strokeCode);
["lineWidth", "miterLimit", "globalAlpha", "lineDashOffset"].forEach((name, place) => property(name, 2 + place, Number));
accessor(drawing, "imageSmoothingEnabled", () => host.get(6) === 1, value => host.set(6, value ? 1 : 0));
["lineCap", "lineJoin", "globalCompositeOperation", "textAlign", "textBaseline", "font"]
  .forEach((name, place) => word(name, 7 + place));
for (const [name, usual] of [["shadowColor", "rgba(0, 0, 0, 0)"], ["shadowBlur", 0], ["shadowOffsetX", 0], ["shadowOffsetY", 0], ["filter", "none"]]) {
  let hasWarned = false;
  accessor(drawing, name, () => usual, () => {
    if (!hasWarned) warn(name + " is ignored: drawn without shadows and filters");
    hasWarned = true;
  });
}

let context;
class HTMLCanvasElement {
  #width = 0;
  #height = 0;
  constructor(given) {
    guardConstructor(given);
    context = new CanvasRenderingContext2D(key, this);
    this.#fit();
  }
  #size(width, height) {
    host.size(width, height);
    this.#width = width;
    this.#height = height;
  }
  #fit() {
    this.#size(round(width * ratio), round(height * ratio));
    host.scale(ratio, ratio);
  }
  static fit(canvas) { canvas.#fit() }
  get width() { return this.#width }
  set width(value) { this.#size(max(trunc(Number(value)) || 0, 0), this.#height) }
  get height() { return this.#height }
  set height(value) { this.#size(this.#width, max(trunc(Number(value)) || 0, 0)) }
  get clientWidth() { return width }
  get clientHeight() { return height }
  getContext(kind) { return kind === "2d" ? context : null }
  getBoundingClientRect() { return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height } }
}
const fit = HTMLCanvasElement.fit;
delete HTMLCanvasElement.fit;
for (const name of ["toDataURL", "toBlob"]) define(HTMLCanvasElement.prototype, { [name]: absent(name) });
define(HTMLCanvasElement.prototype, events);
const canvas = new HTMLCanvasElement(key);

const noImage = { id: 0, width: 0, height: 0 };
class HTMLImageElement {
  #source = "";
  #parts = noImage;
  onload = null;
  onerror = null;
  get src() { return this.#source }
  set src(value) {
    this.#source = String(value);
    this.#parts = noImage;
    let error = null;
    try {
      if (lower(slice(this.#source, 0, 5)) !== "data:") throw unavailable("An image from elsewhere than a data: URL");
      const made = host.image(this.#source);
      this.#parts = { id: made[0], width: made[1], height: made[2] };
      register(lostImages, this, made[0]);
    } catch (caught) {
      error = caught;
    }
    later(() => {
      const listener = error ? this.onerror : this.onload;
      if (typeof listener === "function") apply(listener, this, [new Event(error ? "error" : "load")]);
      else if (error) report(error);
    });
  }
  get complete() { return this.#source === "" || this.#parts.id !== 0 }
  get width() { return this.#parts.width }
  get height() { return this.#parts.height }
  get naturalWidth() { return this.#parts.width }
  get naturalHeight() { return this.#parts.height }
  async decode() { if (!this.#parts.id) throw new TypeError("the image cannot be decoded") }
  static parts(image) { return image !== null && typeof image === "object" && #parts in image ? image.#parts : undefined }
  addEventListener(type, listener) { if (type === "load" || type === "error") this["on" + type] = listener }
}
const imageParts = HTMLImageElement.parts;
delete HTMLImageElement.parts;
define(page, { HTMLCanvasElement, HTMLImageElement, Image: HTMLImageElement, CanvasRenderingContext2D, CanvasGradient, TextMetrics });
)js"
