/** A registrar with test timers and a few extensions, and phones that register with it. */
import { createSecretKey } from 'node:crypto'
import { createTestClock } from '../../../../../test/helpers/run/test-clock.ts'
import type { Maybe } from '../../../../kit/maybe.ts'
import { createLog } from '../../../../kit/process/log.ts'
import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import { createDigestClient } from '../../../../sip/digest/client.ts'
import { createDigestServer } from '../../../../sip/digest/server.ts'
import { firstValue, type SipRequest, type SipResponse, values } from '../../../../sip/message/message.ts'
import { buildRequest, type HeaderPairs } from '../../../../sip/message/request.ts'
import type { Flow, Peer } from '../../../../sip/transport/flow.ts'
import { parseUri } from '../../../../sip/uri/parse.ts'
import type { Credentials, ExtensionName, RegistrationEvent, TemporaryLogin } from '../../../port.ts'
import { createExtensionRates } from '../../guard/extension-rates.ts'
import { createFailureBudgets } from '../../guard/failure-budgets.ts'
import { createRegistrar } from '../registrar.ts'

export const domain = 'acme.example'
export const extension: ExtensionName = { domain, number: '1000' }

type Options = {
  credentials?: (extension: ExtensionName, login?: TemporaryLogin) => Maybe<Credentials | undefined>
  ownHosts?: string[]
  maxSeconds?: () => number
  /** By default events are stored at once. */
  stored?: () => Promise<void>
}

export function createTestRegistrar({ credentials, ownHosts, maxSeconds, stored }: Options = {}) {
  const timers = createTestTimers()
  const clock = createTestClock()
  const events: RegistrationEvent[] = []
  const closed: Flow[] = []
  const pinged: Flow[] = []
  /** Flows of authenticated messages. */
  const proven: Flow[] = []
  /** Statuses of stateless responses. */
  const stateless: number[] = []
  const judged: [verdict: 'good' | 'failed', remote: Peer][] = []
  const known = (asked: ExtensionName) => {
    const isOurs = asked.domain === domain && ['1000', '1001'].includes(asked.number)
    return isOurs ? { password: `secret ${asked.number}` } : undefined
  }
  const registrar = createRegistrar({
    host: {
      credentials: credentials ?? known,
      onRegistration(event) {
        events.push(event)
        return event.type === 'refreshed' ? undefined : stored?.()
      },
    },
    digest: createDigestServer({
      key: createSecretKey(Buffer.alloc(32, 3)),
      clock,
      nonceSeconds: 300,
      nonces: 1_000,
      algorithms: ['MD5'],
    }),
    clock,
    timers,
    log: createLog('silent'),
    guard: {
      succeeded: ({ remote }) => judged.push(['good', remote]),
      failed: ({ remote }) => judged.push(['failed', remote]),
    },
    budgets: createFailureBudgets({ timers }),
    rates: createExtensionRates({ timers }),
    prove: (flow) => proven.push(flow),
    close: (flow) => closed.push(flow),
    ping: (flow) => pinged.push(flow),
    ...(ownHosts && { ownHosts }),
    maxSeconds,
  })
  return {
    registrar,
    timers,
    clock,
    events,
    closed,
    pinged,
    proven,
    judged,
    stateless,
    /** Advances the clock and the timers. */
    pass(seconds: number) {
      clock.advance(seconds)
      timers.advance(seconds * 1000)
    },
    /** Types of the events since the last call. */
    emitted: () => events.splice(0).map(({ type }) => type),
    send(request: SipRequest, flow: Flow): SipResponse[] {
      const answers: SipResponse[] = []
      registrar.handle({
        request,
        flow,
        respond: (response) => answers.push(response),
        respondOnce(response) {
          stateless.push(response.status)
          answers.push(response)
        },
        repeat() {},
        onCancel() {},
      })
      return answers
    },
  }
}
export type TestRegistrar = ReturnType<typeof createTestRegistrar>

export function udp(address: string, port = 5060): Flow {
  return { transport: 'udp', local: { address: '192.0.2.1', port: 5060 }, remote: { address, port } }
}

export function tcp(address: string, connection: number): Flow {
  return { ...udp(address, 40_000 + connection), transport: 'tcp', connection }
}

type PhoneOptions = {
  flow?: Flow
  username?: string
  password?: string
  /** Host of the address in To. */
  host?: string
  number?: string
  callId?: string
  instance?: string
  contact?: string
  userAgent?: string
}

let phones = 0

export function createPhone(server: TestRegistrar, options: PhoneOptions = {}) {
  phones += 1
  const { host = domain, number = '1000', password = `secret ${number}`, username = number } = options
  const phone = {
    flow: options.flow ?? udp(`198.51.100.${phones % 250}`),
    callId: options.callId ?? `call-${phones}`,
    contact: options.contact ?? `sip:${number}@10.0.0.${phones % 250}:5060`,
    cseq: 0,
  }
  const digest = createDigestClient({ login: () => ({ username, password }) })
  const instance = options.instance && `;+sip.instance="<${options.instance}>";reg-id=1`

  function contactHeader(seconds?: number): [string, string] {
    return [
      'Contact',
      `<${phone.contact}>${instance ?? ''}${seconds === undefined ? '' : `;expires=${seconds}`}`,
    ]
  }

  function request(headers: HeaderPairs): SipRequest {
    phone.cseq += 1
    return buildRequest({
      method: 'REGISTER',
      uri: parseUri(`sip:${host}`),
      headers: [
        ['Via', `SIP/2.0/UDP 10.0.0.1:5060;branch=z9hG4bK${phone.callId}${phone.cseq}`],
        ['From', `<sip:${number}@${host}>;tag=a`],
        ['To', `<sip:${number}@${host}>`],
        ['Call-ID', phone.callId],
        ['CSeq', `${phone.cseq} REGISTER`],
        ...(options.userAgent === undefined ? [] : [['User-Agent', options.userAgent] as const]),
        ...headers,
      ],
    })
  }

  /** Answers a challenge, and waits for a delayed response. */
  function ask(headers: HeaderPairs): SipResponse | undefined {
    const first = request(headers)
    const challenge = server.send(first, phone.flow)[0]
    if (challenge?.status !== 401) return challenge
    const again = digest.answer(request(headers), challenge)
    if (!again) return challenge
    const answers = server.send(again, phone.flow)
    server.timers.advance(300)
    return answers[0]
  }

  /** Sends a REGISTER with credentials; its answers, as they come. */
  function sign(): SipResponse[] {
    const [challenge] = server.send(request([contactHeader()]), phone.flow)
    const signed = challenge && digest.answer(request([contactHeader()]), challenge)
    if (!signed) throw new Error('not challenged')
    return server.send(signed, phone.flow)
  }

  return {
    phone,
    request,
    ask,
    sign,
    digest,
    contactHeader,
    register: (seconds?: number, headers: HeaderPairs = []) => ask([contactHeader(seconds), ...headers]),
    leave: () => ask([contactHeader(0)]),
    status: (seconds?: number) => ask([contactHeader(seconds)])?.status,
    /** As when its user turns it off and on. */
    restart: () => {
      phone.callId = `${phone.callId}+`
      phone.cseq = 0
    },
  }
}

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The bindings an answer lists. */
export function listed(answer: SipResponse | undefined): string[] {
  return answer ? values(answer, 'Contact') : []
}

export function header(answer: SipResponse | undefined, name: string): string | undefined {
  return answer && firstValue(answer, name)
}
