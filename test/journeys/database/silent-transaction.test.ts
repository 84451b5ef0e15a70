/** A process, or its connection, stops without an error in the middle of a transaction that holds the balance of an account (D564). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../../src/store/database.ts'
import { startTcpProxy } from '../../helpers/programs/tcp-proxy.ts'
import { openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())

test('calls of the account are refused in time, and possible again within seconds', async () => {
  const { token, domain } = await openOffice(service)
  const place = () => service.api.post('/calls', { extension: '1000', called: '5548999998888' }, { token })
  const proxy = await startTcpProxy(service.database.url)
  const pool = openPool({ connectionString: proxy.url }, { size: 1, onError: () => {} })
  const silent = await pool.connect()
  silent.on('error', () => {})
  await silent.query('begin')
  await silent.query(
    'select from balances join accounts on accounts.id = account_id where domain = $1 for update of balances',
    [domain],
  )
  proxy.swallowAll()

  const waited = await place()
  expect(waited).toMatchObject({ status: 503, body: { error: { errorCode: 'SERVICE_UNAVAILABLE' } } })
  expect(Number(waited.headers.get('retry-after'))).toBeGreaterThan(0)
  await expect.poll(async () => (await place()).status, { timeout: 12_000 }).toBe(200)
  proxy.close()
  silent.release(true)
  await pool.end()
  // In all less than the 20 s that a statement may take.
}, 15_000)
