// Script: JavaScript for a page of the canvas. `ScriptScheduler` decides when a script runs, on the loop's thread;
// a `ScriptHost` runs it on a worker: `ScriptProcess` in a confined process for each context (`ScriptServer`),
// `ScriptEngine` (QuickJS) in this process. Scripts draw by Canvas's `Context2D`.
//
// Scripts are untrusted: arguments of calls and everything that the process sends are checked. A script has no files
// and no network, and limited memory and time. Nothing here knows the gateway: requests of a script go to the
// `ScriptDelegate`.
