/** Packages that a release ships beside its bundle. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { copyNative } from '../../tools/release/packages.ts'

test('are copied wherever the checkout is, also below a folder with a name that packages leave out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const checkout = join(folder, 'tests')
  mkdirSync(checkout)
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(checkout, 'node_modules'))
  const target = join(folder, 'release')
  for (const name of Object.keys(copyNative(checkout, target)))
    expect(existsSync(join(target, 'node_modules', name, 'package.json')), name).toBe(true)
  expect(existsSync(join(target, 'node_modules/@node-rs/argon2/index.js'))).toBe(true)
})
