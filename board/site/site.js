// What is left of a question before it is searched for. The theme's search looks for each word also as the beginning of other words and
// counts those of titles most, so "do" finds "document" and "I" finds "install". board/site/search.js asks with the same function.
(scope => {
  const sayNothing = new Set(("a about add am an and any are be can do does doing for from get has have how i if in into is it its me my need"
    + " of on or our please should so some that the their them there this to use want was we what when where which who why will with would"
    + " you your").split(" "))
  // As the handbook spells it.
  const spellings = { wifi: "wi-fi", wlan: "wi-fi", pi5: "pi 5", pi4: "pi 4", pi3: "pi 3", colour: "color" }

  const meaning = text => {
    const words = text.split(/\s+/).filter(Boolean)
    const said = words.map(word => word.replace(/^[-+]+|[?!.,;]+$/g, "")).filter(word => word && !sayNothing.has(word.toLowerCase()))
    return said.length ? said.map(word => spellings[word.toLowerCase()] ?? word).join(" ") : text
  }
  scope.talonSearch = meaning

  if (typeof scope.Worker !== "undefined") {
    const post = scope.Worker.prototype.postMessage
    // 2 is a question to the theme's worker.
    scope.Worker.prototype.postMessage = function (message, ...rest) {
      const asks = message?.type === 2 && typeof message.data === "string"
      return post.call(this, asks ? { ...message, data: meaning(message.data) } : message, ...rest)
    }
  }
})(globalThis)
