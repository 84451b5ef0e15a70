/** D541: the archive, installed into an empty folder, runs whichever supported Node starts it, and says so to one that is too old. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, makeDataDir, runRamal, startRamal } from '../helpers/programs/ramal-process.ts'
import { press } from '../helpers/service/people.ts'
import { findNode } from './node-versions.ts'
import { released } from './shipped-modules.ts'

const [archive = ''] = globSync(join(released, '../*.tgz'))
const folder = mkdtempSync(join(tmpdir(), 'ramal-nodes-'))
const installed = join(folder, 'lib/node_modules/ramal')
const shippedVersion = execFileSync(join(released, 'bin/node'), ['--version'], { encoding: 'utf8' }).trim()

beforeAll(() => {
  execFileSync('npm', ['install', '--global', '--offline', '--silent', '--prefix', folder, archive])
})
afterAll(() => rmSync(folder, { recursive: true }))

const domain = 'aurora.ramal.localhost'
const signup = {
  organization_name: 'Padaria Aurora',
  domain,
  email: 'ana@aurora.example',
  password: 'correct horse battery',
  phone: '+55 48 3333-4444',
  crm: 'Outros',
  user_quantity: '1-5',
}
const extension = {
  ramal: '1000',
  senha: 'a secret of hers',
  first_name: 'Bia',
  last_name: 'Lima',
  email_address: 'bia@aurora.example',
  gravar_audio: 1,
}
const destination = '+55 48 99999-0009'

/** Signs up, confirms, logs in, and talks to the sandbox carrier. Returns the call as the list shows it. */
async function firstCall({ api, operator, url }: Awaited<ReturnType<typeof startRamal>>, node: string) {
  expect((await api.post('/accounts/signup', signup)).body).toMatchObject({ status: 201 })
  const link = async () => /http[^"<]*confirm\?token=[^"<]*/.exec((await operator.get('/mailbox')).body)?.[0]
  await expect.poll(link).toBeDefined()
  expect((await press((await link()) ?? '')).status).toBe(200)
  const { email, password } = signup
  const token = (await api.post('/users/login', { email, password })).body.id
  expect((await api.post('/extensions', extension, { token })).status).toBe(200)
  const words = ['phone', '--api', `${url}/api/v1`, '--extension', `1000@${domain}`, '--once', '--background']
  const more = ['--answer', 'auto', '--password', extension.senha]
  const phone = launch([...words, ...more], {}, { folder: installed, node })
  expect([(await once(phone, 'exit'))[0], phone.text()]).toMatchObject([
    0,
    expect.stringContaining('registered as 1000'),
  ])
  const placed = await api.post('/calls', { extension: '1000', called: destination }, { token })
  expect([placed.status, placed.body.error]).toEqual([200, undefined])
  const call = async () => (await api.get(`/calls/${placed.body.id}`, { token })).body
  await expect.poll(async () => (await call()).status).toBe('answered')
  expect((await api.post(`/calls/${placed.body.id}/hangup`, undefined, { token })).status).toBe(200)
  await expect.poll(async () => (await call()).status).toBe('completed')
  return await call()
}

describe.skipIf(process.platform !== 'linux')('started by', () => {
  test.for([
    ['20.20.2', shippedVersion],
    ['22.20.0', 'v22.20.0'],
    [shippedVersion.slice(1), shippedVersion],
  ] as const)(
    'Node %s it runs on %s: signs up, logs in, places a call, stops',
    async ([version, running], t) => {
      const node = version === shippedVersion.slice(1) ? join(released, 'bin/node') : findNode(version)
      if (node === undefined) return t.skip(`Node ${version} cannot be fetched`)
      const data = makeDataDir()
      const service = await startRamal({ DATA_DIR: data.path }, { folder: installed, node })
      try {
        expect((await service.operator.get('/metrics')).body).toContain(`version="${running}"`)
        expect(await firstCall(service, node)).toMatchObject({
          from: '1000',
          to: '5548999990009',
          hangup_cause: 'NORMAL_CLEARING',
        })
      } finally {
        expect(await service.kill('SIGTERM')).toBe(0)
        data.remove()
      }
    },
  )

  test('a Node that is too old, where the release has none of its own, gets one sentence', async (t) => {
    const node = findNode('20.20.2')
    if (node === undefined) return t.skip('Node 20 cannot be fetched')
    const unpacked = mkdtempSync(join(tmpdir(), 'ramal-without-node-'))
    try {
      execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--exclude', 'package/bin/node'])
      const said = await runRamal(['serve'], {}, { folder: join(unpacked, 'package'), node })
      expect(said).toEqual({
        code: 1,
        text: 'Ramal needs Node 22.19 or newer; this is v20.20.2. Install a newer one.\n',
      })
    } finally {
      rmSync(unpacked, { recursive: true })
    }
  })
})
