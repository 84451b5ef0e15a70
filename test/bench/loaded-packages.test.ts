/** What a start loads costs memory and time in every process: packages that few operators need are loaded late. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const service = new URL('../../src/app/start.ts', import.meta.url).href

/** Prints the packages that the service has loaded once it could be started. */
const program = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
      if (name) packages.add(name)
      return next(url, context)
    },
  })
  await import(${JSON.stringify(service)})
  process.stdout.write(JSON.stringify([...packages]))
  process.exit()`

test('the service starts without the packages that few need', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-wasm-code-gc', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('../../', import.meta.url)) },
  )
  const loaded: string[] = JSON.parse(stdout)
  expect(loaded).toContain('fastify')
  const late = ['typebox', 'undici', 'nodemailer', 'ioredis', 'aws4fetch', '@node-rs/argon2', 'vite']
  expect(loaded.filter((name) => late.includes(name))).toEqual([])
})
