document.title = 'a'; addEventListener('b', e => { throw e.detail }); dispatchEvent(new CustomEvent('b', {detail: 1}));
__openclaw.setDebugStatusEnabled(true); __openclaw.setStatus('a', null); __openclaw.renderHome({title: 'x', agents: []});
openclawA2UI.applyMessages([{deleteSurface: {surfaceId: 'main'}}]); openclawA2UI.reset(); openclawA2UI.getSurfaces();
try { OpenClaw.sendUserAction({name: 'n'}) } catch (e) { console.warn(e) } const i = new Image(); i.src = 'data:image/png;base64,AAAA'; __openclaw.ctx.drawImage(i, 0, 0, 9, 9)
