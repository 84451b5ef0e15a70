/** D451: what an update in place does to the running service: it removes the packages that the service was started with. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir, runRamal, startRamal } from '../helpers/programs/ramal-process.ts'
import { released } from './shipped-modules.ts'

const password = 'battery-of-horses'
const email = 'ana@aurora.example'
const data = makeDataDir()
const env = { DATA_DIR: data.path, LOG_LEVEL: 'warn' }
/** On the same disk, so that files are links. */
const folder = mkdtempSync(join(released, '../running-'))
let service: Awaited<ReturnType<typeof startRamal>>

beforeAll(async () => {
  // As the service makes it: if we are root, PostgreSQL's user must be able to enter it.
  chmodSync(data.path, 0o711)
  execFileSync('cp', ['-al', `${released}/.`, folder])
  const words = [
    'account',
    'create',
    '--domain',
    'a.ramal.localhost',
    '--email',
    email,
    '--password',
    password,
  ]
  expect(await runRamal(words, env, { folder })).toMatchObject({ code: 0 })
  service = await startRamal(env, { folder })
  await logIn()
  rmSync(join(folder, 'node_modules'), { recursive: true })
})
afterAll(async () => {
  await service.kill('SIGTERM')
  data.remove()
  rmSync(folder, { recursive: true })
})

const logIn = () => service.api.post('/users/login', { email, password })
const notReady = async () =>
  ((await (await fetch(`${service.url}/ready`)).json()) as { waiting: string[] }).waiting

test('a service whose packages were removed logs in and creates extensions, on new connections to its database too', async () => {
  const { status, body } = await logIn()
  expect(status).toBe(200)
  const create = async (index: number) => {
    const extension = {
      ramal: `${2000 + index}`,
      senha: 'a secret of hers',
      first_name: 'Bia',
      last_name: 'Lima',
      email_address: email,
    }
    const answer = await service.api.post('/extensions', extension, { token: body.id })
    return answer.body.error?.code ?? answer.status
  }
  const made = await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)))
  expect(new Set(made)).toEqual(new Set([200]))
  expect(await notReady()).toEqual([])
})

test('/ready notices that the programs of the database are gone', async () => {
  const [programs = ''] = readdirSync(data.path).filter((name) => name.startsWith('postgresql-'))
  expect(programs).not.toBe('')
  rmSync(join(data.path, programs), { recursive: true })
  expect(await notReady()).toEqual(['database programs'])
})
