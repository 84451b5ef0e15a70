/** The address that is connected to, whatever name leads there (D88). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../test/helpers/programs/receiver.ts'
import { isPublicAddress } from '../../integrations/public-address.ts'
import { systemTimers } from '../../kit/timers.ts'
import { createGuard, type FoundAddress } from './guard.ts'
import { createSender } from './sender.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const unsigned = { id: 'msg_1', at: new Date(0), body: '{}', secrets: [] }

function startSender(allowPrivate: boolean, ...answers: string[]) {
  const asked: string[] = []
  const find = async (hostname: string): Promise<FoundAddress[]> => {
    asked.push(hostname)
    const address = answers.length > 1 ? answers.shift() : answers[0]
    return (address ?? '').split(' ').map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }))
  }
  const sender = createSender({
    guard: createGuard(allowPrivate ? () => true : isPublicAddress, find),
    timers: systemTimers,
  })
  const send = (host: string) => sender.send({ ...unsigned, url: `http://${host}:${receiver.port}/x?y=%20` })
  return { send, asked, close: sender.close }
}

test.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::]',
])('http://%s/ is refused without a connection, for good', async (host) => {
  const { send, close } = startSender(false)
  const result = await send(host)
  expect(result).toMatchObject({ status: null, forbidden: true })
  expect(result.error).toContain('not an address of the public network')
  expect(receiver.received).toEqual([])
  await close()
})

test.each(['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', '8.8.8.8 127.0.0.1'])(
  'a name that resolves to %s is refused',
  async (address) => {
    const { send, close } = startSender(false, address)
    expect(await send('crm.example')).toMatchObject({ status: null, forbidden: true })
    expect(receiver.received).toEqual([])
    await close()
  },
)

test('a name is looked up for each connection: its earlier address does not count', async () => {
  receiver.received.length = 0
  // 127.0.0.1 stands for the public network: nothing of these tests leaves the machine.
  const answers = ['127.0.0.1', '127.0.0.2']
  const find = async () => [{ address: answers.shift() ?? '', family: 4 }]
  const guard = createGuard((address) => address === '127.0.0.1', find)
  const sender = createSender({ guard, timers: systemTimers })
  const message = { ...unsigned, url: `http://crm.example:${receiver.port}/` }
  receiver.answerWith((response) => response.writeHead(200, { connection: 'close' }).end())
  expect((await sender.send(message)).status).toBe(200)
  expect(await sender.send(message)).toMatchObject({ status: null, forbidden: true })
  expect([answers, receiver.received.length]).toEqual([[], 1])
  await sender.close()
})

test('where private addresses are allowed they are sent to, by the URL as it is written', async () => {
  receiver.received.length = 0
  const { send, asked, close } = startSender(true, '127.0.0.1')
  expect((await send('crm.example')).status).toBe(200)
  expect(asked).toEqual(['crm.example'])
  expect(receiver.received[0]).toMatchObject({
    path: '/x?y=%20',
    headers: { host: `crm.example:${receiver.port}` },
  })
  await close()
})

test('a name without an address, and a port where nobody listens, are results, not errors', async () => {
  const failing = createGuard(
    () => true,
    async () => {
      throw Object.assign(new Error('queryA ENOTFOUND crm.example'), { code: 'ENOTFOUND' })
    },
  )
  const sender = createSender({ guard: failing, timers: systemTimers })
  expect((await sender.send({ ...unsigned, url: 'http://crm.example/' })).error).toContain('ENOTFOUND')
  expect(await sender.send({ ...unsigned, url: 'http://127.0.0.1:1/' })).toMatchObject({
    status: null,
    error: expect.stringContaining('ECONNREFUSED'),
  })
  await sender.close()
})
