#!/usr/bin/env node
// Runs src/main.ts, which needs a Node that strips types: an older one hands over to the Node
// that npm installed beside our other dependencies.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 18)) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('../src/main.ts')
} else {
  const shipped = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(shipped)) {
    process.stderr.write(`Ramal needs Node 22.18 or newer; this is ${process.version}. Run: npm ci\n`)
    process.exit(1)
  }
  const child = spawn(shipped, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
