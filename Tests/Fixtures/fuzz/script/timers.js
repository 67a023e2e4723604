let n = 0; const t = setInterval(() => { if (++n > 2) clearInterval(t) }, 1); requestAnimationFrame(now => { __openclaw.ctx.fillRect(now, 0, 1, 1) });
await new Promise(done => setTimeout(done, 1)); [n, performance.now() > 0]
