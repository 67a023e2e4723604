Object.prototype.then = 1; Array.prototype[Symbol.iterator] = null; Error.prototype.toString = () => { throw 1 }; JSON.stringify = 0; Map.prototype.get = null;
({get then() { return function (a, b) { a(this) } }})
