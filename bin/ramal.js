#!/usr/bin/env node
// Runs the service: in a checkout src/main.ts, in a release (D340) its bundle. Both need a newer Node than some have: an
// older one hands over to the Node that is part of the release, or that npm installed beside our other dependencies. The size
// of the young heap cannot be set later, as the other flags of V8 are (src/kit/process/heap-flags.ts). WebAssembly code, which
// strips types, is never freed: V8 13.6 can abort then (nodejs/node#64500). What was compiled once is kept, and types stripped
// once, also for worker threads.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const youngHeap = '--max-semi-space-size=8'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))
const shipped = ['./node', '../node_modules/.bin/node'].map(pathOf).find(existsSync)
const isCheckout = existsSync(pathOf('../src/main.ts'))
const newEnough = major > 22 || (major === 22 && minor >= 19)
const again = [youngHeap, ...process.argv.slice(1)]

if (newEnough && process.execArgv.includes(youngHeap)) {
  if (isCheckout) setFlagsFromString('--no-wasm-code-gc')
  process.env.NODE_COMPILE_CACHE ||= join(tmpdir(), 'node-compile-cache')
  module.enableCompileCache()
  await import(isCheckout ? '../src/main.ts' : '../dist/main.js')
} else if (newEnough && process.execve) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...again])
} else if (newEnough || shipped) {
  launch(newEnough ? process.execPath : shipped)
} else {
  const way = isCheckout ? 'Run: npm ci' : 'Install a newer one.'
  process.stderr.write(`Ramal needs Node 22.19 or newer; this is ${process.version}. ${way}\n`)
  process.exit(1)
}

// RAMAL_PARENT is the process with which Ramal ends: the child watches us, and we watch our own parent.
function launch(node) {
  const parent = Number(process.env.RAMAL_PARENT)
  const env = { ...process.env, RAMAL_PARENT: String(process.pid) }
  const child = spawn(node, again, { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const timer = setInterval(() => {
    if (!parent || process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, 500)
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
