const {ctx, canvas} = __openclaw;
ctx.save(); ctx.fillStyle = 'hsl(120, 50%, 50%)'; ctx.beginPath(); ctx.arc(10, 10, 5, 0, 7); ctx.fill('evenodd'); ctx.clip(); ctx.restore();
const g = ctx.createRadialGradient(0, 0, 1, 5, 5, 9); g.addColorStop(0, '#fff8'); ctx.strokeStyle = g; ctx.setLineDash([1, 2, 3]); ctx.strokeRect(1, 1, 9, 9);
ctx.roundRect(0, 0, 20, 20, [1, {x: 2, y: 3}]); ctx.font = 'bold 12px mono'; ctx.fillText('text', 1, 9, 20); canvas.width = 32;
