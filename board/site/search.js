// Asks the site's own search, as the page in a browser does: site.js, then the theme's worker (assets/javascripts/workers) with the site's
// index, one query for each line of standard input. Prints the query and the pages that it finds, the best first, with tabs between them.
//
//   node search.js SITE < QUERIES
"use strict"
const fs = require("fs")
const path = require("path")
const vm = require("vm")

const site = process.argv[2]
const folder = path.join(site, "assets/javascripts/workers")
const worker = fs.readdirSync(folder).find(name => /^search\..*\.js$/.test(name))
const index = JSON.parse(fs.readFileSync(path.join(site, "search/search_index.json"), "utf8"))

// What a worker has of a browser: messages, and nothing of a document.
const answers = []
const listeners = []
const scope = {
  console, URL,
  addEventListener: (kind, listener) => { if (kind === "message") listeners.push(listener) },
  postMessage: message => answers.push(message),
}
scope.self = scope.globalThis = scope
vm.runInContext(fs.readFileSync(path.join(folder, worker), "utf8"), vm.createContext(scope))

async function tell(type, data) {
  answers.length = 0
  for (const listener of listeners) await listener({ data: { type, data } })
  // The worker answers a turn later.
  for (let turn = 0; !answers.length && turn < 100; turn++) await new Promise(done => setTimeout(done, 10))
  if (!answers.length) throw new Error(`the worker ${worker} does not answer a message of type ${type}`)
  return answers[0].data
}

async function main() {
  await tell(0, { config: index.config, docs: index.docs, options: { suggest: true } })
  // The page's own half, without a worker that it could reach.
  const page = vm.createContext({})
  vm.runInContext(fs.readFileSync(path.join(site, "site.js"), "utf8"), page)
  for (const query of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { items } = await tell(2, page.talonSearch(query))
    console.log([query, ...items.map(sections => sections[0].location.split("#")[0])].join("\t"))
  }
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
