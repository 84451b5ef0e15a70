/** Carriers that answer from memory: by address, a status or silence. */

import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import type { SipResponse } from '../../../../sip/message/message.ts'
import { type HeaderPairs, toHeaders } from '../../../../sip/message/request.ts'
import { sipUri } from '../../../../sip/uri/uri.ts'
import type { RequestOptions } from '../../../../sip/user-agent/out-of-dialog-request.ts'
import type { UserAgent } from '../../../../sip/user-agent/user-agent.ts'
import { parseTrunks } from '../../../trunk-settings/parse-trunks.ts'
import { createResolve, type Dns } from '../resolve.ts'
import { readTrunk } from '../trunk.ts'
import { createTrunks } from '../trunks.ts'

const silentLog = { info() {}, warn() {} }

function response(status: number, headers: HeaderPairs = []): SipResponse {
  return { kind: 'response', status, reason: 'So it is', headers: toHeaders(headers), body: Buffer.alloc(0) }
}

function createCarriers() {
  const asked: RequestOptions[] = []
  const statuses = new Map<string, number | undefined>()
  const hanging = new Set<string>()
  const ask: UserAgent['request'] = async (asking) => {
    asked.push(asking)
    const { address } = asking.target.remote
    if (hanging.has(address)) return await new Promise<undefined>(() => {})
    const status = statuses.has(address) ? statuses.get(address) : 200
    return status === undefined ? undefined : response(status)
  }
  return {
    asked,
    userAgent: { request: ask },
    /** Undefined is silence. */
    answer: (address: string, status: number | undefined) => statuses.set(address, status),
    /** The request neither gets a response nor fails. */
    hang: (address: string) => hanging.add(address),
  }
}

/** Trunks by their settings, over carriers in memory and time that stands. */
export async function openTrunks(settings: object[], dns: Dns = noNames) {
  const carriers = createCarriers()
  const timers = createTestTimers()
  const trunks = createTrunks({
    trunks: parseTrunks(JSON.stringify(settings)).map(readTrunk),
    userAgent: carriers.userAgent,
    contact: () => sipUri({ host: '192.0.2.1', port: 5060 }),
    timers,
    resolve: createResolve({ dns }),
    log: silentLog,
  })
  await trunks.start()
  /** Lets time pass second by second, with what is asked answered in between. */
  async function pass(seconds: number) {
    for (let second = 0; second < seconds; second += 1) {
      timers.advance(1000)
      await settle()
    }
  }
  await settle()
  return { trunks, carriers, timers, pass }
}

const noNames: Dns = { srv: async () => [], addresses: async () => [] }

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A destination that is dialled. */
export const number = '5511987654321'

/** The settings of a trunk at 203.0.113.`last`. */
export const trunk = (name: string, last: number, more: object = {}) => ({
  name,
  address: `sip:203.0.113.${last}`,
  qualifySeconds: 60,
  ...more,
})

/** The trunks for a number, in the order in which they are tried. */
export const namesInOrder = (
  { trunks }: Pick<Awaited<ReturnType<typeof openTrunks>>, 'trunks'>,
  to = number,
) => trunks.choose(to).map((one) => one.trunk.name)
