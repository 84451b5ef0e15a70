/** A transaction layer on a wire in memory, with test timers. */
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
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
  const requests: IncomingRequest[] = []
  transactions.onRequest((incoming) => requests.push(incoming))
  return { timers, ...memory, transactions, requests, errors }
}
export type Scene = ReturnType<typeof createScene>

/** The calls of a listener, in short: `180`, `200`, `timeout`. */
export function createOutcomeRecorder() {
  const outcomes: string[] = []
  const listener: ResponseListener = {
    onProvisional: ({ status }) => void outcomes.push(String(status)),
    onFinal: ({ status }) => void outcomes.push(String(status)),
    onFailed: (why) => void outcomes.push(why),
  }
  return { outcomes, listener }
}

/** Sends a request and records its outcomes. */
export function ask(scene: Scene, method: string, transport: Transport = 'udp', parts = {}) {
  const { outcomes, listener } = createOutcomeRecorder()
  const target: Target = transport === 'ws' ? flowBy('ws', 9) : { transport, remote: peer }
  const transaction = scene.transactions.request(newRequest(method, parts), target, listener)
  const answer = (status: number, toTag = 'b1') =>
    scene.receive(responseTo(scene, status, toTag), flowBy(transport))
  return { outcomes, transaction, answer, ...transaction }
}

/** A response to the last request sent, other than ACK and CANCEL. */
export function responseTo(scene: Scene, status: number, toTag = 'b1'): SipResponse {
  const last = scene.sent.findLast(
    ({ message }) => message.kind === 'request' && message.method !== 'ACK' && message.method !== 'CANCEL',
  )
  return buildResponse(requestOf(last?.message), status, { toTag })
}
