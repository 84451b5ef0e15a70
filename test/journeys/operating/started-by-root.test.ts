/** D481: a service that root starts. */
import { chownSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canEnter, canExecute } from '../../../src/store/embedded/file-access.ts'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'

const nobody = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
const canBeNobody = isRoot && canEnter(import.meta.dirname, nobody) && canExecute(process.execPath, nobody)

const idsOf = (pid: number, name: 'Uid' | 'Gid' | 'Groups') =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]?.split(/\s+/)

test.skipIf(!canBeNobody)('it runs as the owner of its data folder, with what root left there', async () => {
  const data = makeDataDir()
  onTestFinished(data.remove)
  await runRamal(['migrate'], { DATA_DIR: data.path })
  chownSync(data.path, nobody.uid, nobody.gid)
  const ramal = await startRamal({ DATA_DIR: data.path, RUN_AS_ROOT: 'false', SIP_HOST: '127.0.0.1' })
  onTestFinished(async () => void (await ramal.kill('SIGTERM')))
  expect(new Set(idsOf(ramal.pid, 'Uid'))).toEqual(new Set(['65534']))
  expect(new Set(idsOf(ramal.pid, 'Gid'))).toEqual(new Set(['65534']))
  expect(statSync(join(data.path, 'secret.key')).uid).toBe(nobody.uid)
  expect((await ramal.operator.get('/metrics')).status).toBe(200)
})

test.skipIf(!isRoot)('a service that others can reach is refused, with what to do', async () => {
  const data = makeDataDir()
  onTestFinished(data.remove)
  const env = { DATA_DIR: data.path, RUN_AS_ROOT: 'false', HOST: '0.0.0.0', PORT: '0' }
  const { code, text } = await runRamal(['serve'], env)
  expect(code).toBe(1)
  expect(text).toMatch(/does not run as root: run it as an ordinary user, .* RUN_AS_ROOT=true\.\n$/)
  expect((await runRamal(['doctor'], env)).text).toMatch(/BAD {2}settings .*does not run as root/)
})

test.skipIf(!isRoot)('one that only this machine reaches starts, and its log says so', async () => {
  const data = makeDataDir()
  onTestFinished(data.remove)
  const ramal = await startRamal({ DATA_DIR: data.path, RUN_AS_ROOT: 'false' })
  onTestFinished(async () => void (await ramal.kill('SIGTERM')))
  expect(ramal.text()).toContain('Started by root, and runs as root.')
})
