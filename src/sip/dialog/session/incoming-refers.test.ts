/** D282: a REFER within a dialog, and the NOTIFYs that report on it. */
import { expect, test } from 'vitest'
import { createLog } from '../../../kit/process/log.ts'
import type { SipResponse } from '../../message/message.ts'
import { buildRequest, type HeaderPairs } from '../../message/request.ts'
import type { IncomingRequest } from '../../transaction/transactions.ts'
import { sipUri } from '../../uri/uri.ts'
import type { Dialog } from '../dialog.ts'
import type { Refer } from '../leg.ts'
import type { UserAgentCore } from '../user-agent-core.ts'
import { createIncomingRefers } from './incoming-refers.ts'

function receiver(onRefer?: (refer: Refer) => number) {
  const notified: string[] = []
  const remoteFlow = { transport: 'udp', remote: { address: '192.0.2.1', port: 5060 } } as const
  const core = {
    product: 'Ramal',
    log: createLog('silent'),
    contact: () => sipUri({ host: '192.0.2.9' }),
  } as unknown as UserAgentCore
  const dialog = {
    remoteFlow: () => remoteFlow,
    send(method: string, { headers = [], body = '' }: { headers?: HeaderPairs; body?: string }) {
      const named = Object.fromEntries(headers)
      notified.push(`${method} ${named.Event} ${named['Subscription-State']?.split(';')[0]} ${body.trim()}`)
    },
  } as unknown as Dialog
  const refers = createIncomingRefers({ core, dialog, listener: onRefer ? { onRefer } : {} })
  let cseq = 1
  async function refer(...headers: HeaderPairs) {
    cseq += 1
    const answers: SipResponse[] = []
    const request = buildRequest({
      method: 'REFER',
      uri: sipUri({ host: '192.0.2.9' }),
      headers: [
        ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1'],
        ['From', '<sip:1000@acme.example>;tag=a'],
        ['To', '<sip:1001@acme.example>;tag=b'],
        ['Call-ID', 'one'],
        ['CSeq', `${cseq} REFER`],
        ...headers,
      ],
    })
    const incoming = { request, respond: (response: SipResponse) => answers.push(response) }
    await refers.receive(incoming as unknown as IncomingRequest)
    return answers.map(({ status }) => status)
  }
  return { refer, notified, close: refers.close }
}

test('an accepted one is answered 202, then its progress is notified until the end', async () => {
  const made: Refer[] = []
  const { refer, notified } = receiver((one) => {
    made.push(one)
    one.progress(180)
    return 202
  })
  expect(await refer(['Refer-To', '<sip:1001@acme.example>'])).toEqual([202])
  for (const status of [200, 486]) made[0]?.progress(status)
  expect(notified).toEqual([
    'NOTIFY refer active SIP/2.0 100 Trying',
    'NOTIFY refer active SIP/2.0 180 Ringing',
    'NOTIFY refer terminated SIP/2.0 200 OK',
  ])
  expect(await refer(['Refer-To', '<sip:1002@acme.example>'])).toEqual([202])
  expect(notified.at(-1)).toBe('NOTIFY refer;id=3 active SIP/2.0 180 Ringing')
})

test('Replaces in the Refer-To names the dialog', async () => {
  const made: Refer[] = []
  const { refer } = receiver((one) => {
    made.push(one)
    return 202
  })
  const replaces = 'Replaces=abc%40192.0.2.1%3Bto-tag%3Dx%3Bfrom-tag%3Dy'
  await refer(['Refer-To', `<sip:1001@acme.example?${replaces}>`])
  expect(made[0]).toMatchObject({ replaces: 'abc@192.0.2.1', to: { user: '1001' } })
})

test('nothing is notified of a refused one, on request, or after the end of the leg', async () => {
  const made: Refer[] = []
  const to = ['Refer-To', '<sip:1001@acme.example>'] as const
  const refusing = receiver(() => 603)
  expect(await refusing.refer(to)).toEqual([603])
  const { refer, notified, close } = receiver((one) => {
    made.push(one)
    return 202
  })
  expect(await refer(to, ['Refer-Sub', 'false'])).toEqual([202])
  close()
  made[0]?.progress(200)
  expect([...refusing.notified, ...notified]).toEqual([])
})

test('without a listener it is declined, and a malformed target is 400', async () => {
  expect(await receiver().refer(['Refer-To', '<sip:1001@acme.example>'])).toEqual([603])
  const { refer } = receiver(() => 202)
  expect(await refer()).toEqual([400])
  expect(await refer(['Refer-To', 'nonsense'])).toEqual([400])
})
