R"js(// What OpenClaw's own page has.
let showsStatus = false;
const orNothing = value => value === undefined || value === null ? "" : String(value);
// White space is one space; a line of a card has 192 bytes.
const oneLine = value => {
  const given = orNothing(value);
  let line = "";
  for (let at = 0, wasSpace = false; at < given.length && line.length < 192; at++) {
    const isSpace = trim(given[at]) === "";
    if (!isSpace) line += given[at]; else if (!wasSpace) line += " ";
    wasSpace = isSpace;
  }
  return line;
};
const __openclaw = {
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
    const badge = orNothing(payload.activeAgentBadge), name = orNothing(payload.activeAgentName);
    const agent = (badge && name ? badge + " " + name : badge || name) || payload.gatewayLabel;
    const above = oneLine(payload.eyebrow) + "\n" + oneLine(payload.title) + "\n" + oneLine(payload.subtitle);
    host.home(above + "\n" + oneLine(agent) + "\n" + oneLine(payload.footer));
  },
};
define(page, {
  // Under the name, too, that it had before: older seeds and agents use that one.
  __openclaw, __clawdbot: __openclaw,
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
  const id = orNothing(action.id) || "action-" + ++lastTimer;
  page.__openclawLastA2UIAction = action;
  let error = "";
  try { host.action(stringify({ ...action, id })) } catch (caught) { error = caught.message }
  const event = new CustomEvent("openclaw:a2ui-action-status", { detail: { id, ok: error === "", error } });
  later(() => { dispatch(event) });
  if (error) throw new Error(error);
  return true;
};
define(page, {
  OpenClaw: { sendUserAction: send }, openclawSendUserAction: send, openclawCanvasA2UIAction: { postMessage: send },
});

return {
  finish, fail, forget, turn, schedule,
  resize(toWidth, toHeight, toRatio) {
    width = toWidth, height = toHeight, ratio = toRatio;
    fit(canvas);
    dispatch(new Event("resize"));
  },
};
}))js"
