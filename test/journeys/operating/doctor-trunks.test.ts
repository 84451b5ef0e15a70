/** D671: what `ramal doctor` says about carriers, of the setting TRUNKS and added in the operator console. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir, startRamal } from '../../helpers/programs/ramal-process.ts'
import { runHere } from '../../helpers/programs/run-here.ts'

const data = makeDataDir()
const env = { DATA_DIR: data.path, PAYMENT_GATEWAY: 'sandbox' }
const silent = 'sip:127.0.0.1:1;transport=tcp'
const reason = 'Contract with another carrier'
let ramal: Awaited<ReturnType<typeof startRamal>>

/** The service itself answers OPTIONS, as a carrier does. */
const answering = () => `sip:${/SIP\s+(127\.0\.0\.1:\d+)/.exec(ramal.text())?.[1]}`
const add = (name: string, address: string, on = true) =>
  ramal.operator.post('/operator/api/trunks', { name, address, on, reason })

beforeAll(async () => {
  ramal = await startRamal({ ...env, CONSOLE: 'on', TRUNKS: `[{"name": "main", "address": "${silent}"}]` })
})
afterAll(async () => {
  await ramal.kill('SIGTERM')
  data.remove()
})

/** The lines of the trunks. */
async function doctor(trunks: object[], others: Record<string, string> = {}) {
  const settings = { ...env, ...others, PORT: '0', SIP_PORT: '0', TRUNKS: JSON.stringify(trunks) }
  const { output } = await runHere(['doctor'], settings)
  return output.split('\n').flatMap((line) => {
    const [, state, sentence] = /^(ok|BAD) +trunks +(.*)/.exec(line) ?? []
    return state && sentence ? [[state, sentence]] : []
  })
}

const main = { name: 'main', address: silent }

test('without a trunk in the setting or in the database it says so', async () => {
  expect(await doctor([])).toEqual([
    ['ok', 'none: without one only extensions are called; add it in the operator console'],
  ])
})

test('trunks of the database are asked like those of TRUNKS, and those that are off are not', async () => {
  for (const { status } of [
    await add('reachable', answering()),
    await add('silent', silent),
    await add('nowhere', 'sip:carrier.invalid'),
    await add('spare', silent, false),
    await ramal.operator.post('/operator/api/trunks/main/switch', { on: false, reason }),
  ])
    expect(status).toBe(200)
  expect(await doctor([main])).toEqual([
    ['ok', 'main is switched off in the operator console'],
    ['BAD', 'nowhere: its address cannot be found: check it in the operator console and DNS'],
    ['ok', `reachable answers at ${answering().slice('sip:'.length)}`],
    ['BAD', 'silent does not answer OPTIONS at 127.0.0.1:1'],
    ['ok', 'spare is switched off in the operator console'],
  ])
})

test('without the database those of TRUNKS are asked, and the others named as not read', async () => {
  const found = await doctor([main], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(found).toEqual([
    ['BAD', 'main does not answer OPTIONS at 127.0.0.1:1'],
    ['BAD', expect.stringMatching(/^those added in the operator console cannot be read: .*127\.0\.0\.1:1/)],
  ])
})
