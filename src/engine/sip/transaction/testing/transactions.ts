/** A transaction layer in which time stands still and nothing leaves the process. */
import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import type { SipResponse } from '../../message/message.ts'
import { buildResponse } from '../../message/response.ts'
import type { Target, Transport } from '../../transport/flow.ts'
import { createTransactions } from '../transaction-layer.ts'
import type { IncomingRequest, ResponseListener } from '../transactions.ts'
import { createMemoryWire, flowBy, peer, requestOf } from './memory-wire.ts'
import { newRequest } from './requests.ts'

type Options = Partial<Parameters<typeof createTransactions>[0]>

export function createScene(options: Options = {}) {
  const timers = createTestTimers()
  const memory = createMemoryWire()
  const errors: unknown[] = []
  const log = { error: (what: unknown) => void errors.push(what) }
  const transactions = createTransactions({ transports: memory.wire, timers, log, ...options })
  const asked: IncomingRequest[] = []
  transactions.onRequest((incoming) => asked.push(incoming))
  return { timers, ...memory, transactions, asked, errors }
}
export type Scene = ReturnType<typeof createScene>

/** What a listener was told, in short: `180`, `200`, `timeout`. */
export function createEar() {
  const heard: string[] = []
  const listener: ResponseListener = {
    onProvisional: ({ status }) => void heard.push(String(status)),
    onFinal: ({ status }) => void heard.push(String(status)),
    onFailed: (why) => void heard.push(why),
  }
  return { heard, listener }
}

/** Sends a request and listens. */
export function ask(scene: Scene, method: string, transport: Transport = 'udp', wish = {}) {
  const { heard, listener } = createEar()
  const target: Target = transport === 'ws' ? flowBy('ws', 9) : { transport, remote: peer }
  const transaction = scene.transactions.request(newRequest(method, wish), target, listener)
  const answer = (status: number, toTag = 'b1') =>
    scene.receive(responseTo(scene, status, toTag), flowBy(transport))
  return { heard, transaction, answer, ...transaction }
}

/** To the last request sent that was no ACK and no CANCEL. */
export function responseTo(scene: Scene, status: number, toTag = 'b1'): SipResponse {
  const last = scene.sent.findLast(
    ({ message }) => message.kind === 'request' && message.method !== 'ACK' && message.method !== 'CANCEL',
  )
  return buildResponse(requestOf(last?.message), status, { toTag })
}
