import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { writeTlsFiles } from '../../../test/sip/peers/tls-files.ts'
import { createTlsReload, readTlsFiles } from './tls-files.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function files() {
  const made = await writeTlsFiles()
  closers.push(made.stop)
  return made
}

const settings = { cert: 'HTTP_TLS_CERT', key: 'HTTP_TLS_KEY' }

describe('D290: files that cannot be used are refused with one sentence', () => {
  test('a missing file', async () => {
    const { cert } = await files()
    await expect(readTlsFiles({ cert, key: '/nowhere/key.pem' }, settings)).rejects.toThrow(
      'HTTP_TLS_KEY: /nowhere/key.pem cannot be read (ENOENT).',
    )
  })

  test('a file that holds something else', async () => {
    const { cert, key } = await files()
    await expect(readTlsFiles({ cert: key, key }, settings)).rejects.toThrow(
      `HTTP_TLS_CERT: ${key} holds no certificate in PEM form.`,
    )
    await expect(readTlsFiles({ cert, key: cert }, settings)).rejects.toThrow(
      `HTTP_TLS_KEY: ${cert} holds no private key in PEM form, or one with a password.`,
    )
  })

  test('a key of another certificate', async () => {
    const [{ cert }, { key }] = [await files(), await files()]
    await expect(readTlsFiles({ cert, key }, settings)).rejects.toThrow(
      `HTTP_TLS_KEY: ${key} is not the key of the first certificate in ${cert}.`,
    )
  })
})

test('D290: a renewed pair is taken once both files are written; until then the problem is reported once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-renewed-'))
  closers.push(() => rm(folder, { recursive: true }))
  const [old, renewed] = [await files(), await files()]
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  await copyFile(old.cert, paths.cert)
  await copyFile(old.key, paths.key)
  const seen: string[] = []
  const reload = createTlsReload({
    paths,
    settings,
    pair: await readTlsFiles(paths, settings),
    onChange: ({ cert }) => seen.push(cert === renewed.certificate.toString() ? 'renewed' : 'another'),
    onProblem: (sentence) => seen.push(sentence),
  })
  await reload()
  expect(seen).toEqual([])
  await copyFile(renewed.cert, paths.cert)
  await reload()
  await reload()
  expect(seen).toEqual([expect.stringContaining('is not the key of the first certificate')])
  await copyFile(renewed.key, paths.key)
  await reload()
  await reload()
  expect(seen.slice(1)).toEqual(['renewed'])
  await writeFile(paths.cert, '')
  await reload()
  expect(seen.slice(2)).toEqual([`HTTP_TLS_CERT: ${paths.cert} holds no certificate in PEM form.`])
})
