/**
 * Verifies a number by a call to it (D188): the API shows a code, and the person who answers the call types it. The code is kept
 * in memory, for as long as the call lasts. The call is paid like any other, and the
 * limits of the account hold for it (D190).
 */
import { randomInt } from 'node:crypto'
import type { Credit } from '../billing/credit/credit.ts'
import type { DailyCeilings } from '../billing/credit/daily-use.ts'
import type { CodeCallOutcome } from '../contract/accounts/numbers.ts'
import { problem, refuse, refuseFields } from '../contract/errors.ts'
import type { CodeCallResult } from '../engine/port.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Log } from '../kit/process/log.ts'
import type { CallGuard } from '../limits/call-guard.ts'
import { callSeconds, daySeconds, ringSeconds, secondsToWait, typingSeconds } from '../numbers/call-limits.ts'
import { type OwnedNumber, readClaim } from '../numbers/number.ts'
import {
  countNumberCalls,
  endNumberCall,
  hasClaim,
  insertNumberCall,
  lockNumberCalls,
  type NumberCall,
} from '../numbers/number-calls-store.ts'
import type { Numbers } from '../numbers/numbers.ts'
import { untilUp } from '../store/connection/until-up.ts'
import type { Database } from '../store/database.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import type { VoiceCommands } from '../voice/commands.ts'
import { refuseByLimit } from './limit-refusals.ts'

const codeLength = 6
const maxTries = 3
const retryAfter = 5

/** The code to type and until when; none if no call is needed. */
export type Verification = { number: OwnedNumber; asked: { code: string; expiresAt: Date } | undefined }

type Deps = {
  db: Database
  clock: Clock
  log: Log
  numbers: Numbers
  credit: Pick<Credit, 'reserve' | 'settle'>
  guard: CallGuard
  commands: Pick<VoiceCommands, 'callsForCode' | 'callForCode'>
}

export function createNumberVerification({ db, clock, log, numbers, credit, guard, commands }: Deps) {
  const running = new Set<Promise<void>>()

  async function verify(caller: Caller, id: number): Promise<Verification> {
    const number = await numbers.find(caller, id)
    if (number.verified) return { number, asked: undefined }
    if (numbers.acceptsSandbox) return await verifyItself(caller, number)
    readClaim(`+${number.number}`)
    if (!commands.callsForCode()) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    const now = clock.now()
    const call = { id: uuidv7(now), accountId: caller.accountId, number: number.number }
    const code = String(randomInt(10 ** codeLength)).padStart(codeLength, '0')
    const ceilings = await guard.check({ accountId: call.accountId, number: call.number })
    if ('rule' in ceilings) throw refuseByLimit(ceilings, 'number', now)
    const paidSeconds = await admit(caller, call, ceilings)
    const placed = run(caller, call, code, paidSeconds).finally(() => running.delete(placed))
    running.add(placed)
    return { number, asked: { code, expiresAt: plusSeconds(now, callSeconds) } }
  }

  async function verifyItself(caller: Caller, { id, number }: OwnedNumber): Promise<Verification> {
    await db.transaction().execute((tx) => numbers.claimFor(tx, caller.accountId, number))
    numbers.onChanged(caller.accountId)
    const now = await numbers.find(caller, id)
    if (!now.verified) throw refuse('NUMBER_TAKEN')
    return { number: now, asked: undefined }
  }

  /** Stores the call with the credit it needs, or refuses it. Returns how long the credit lasts. */
  async function admit(caller: Caller, call: NumberCall, ceilings: DailyCeilings): Promise<number> {
    return await db.transaction().execute(async (tx) => {
      const { id: callId, accountId, number } = call
      const now = clock.now()
      if (await numbers.isTaken(tx, accountId, number)) throw refuse('NUMBER_TAKEN')
      await lockNumberCalls(tx, accountId)
      const since = plusSeconds(now, -daySeconds)
      const liveSince = plusSeconds(now, -callSeconds)
      const wait = secondsToWait(await countNumberCalls(tx, call, { since, liveSince }), now)
      if (wait !== undefined) throw refuse('TOO_MANY_VERIFICATIONS', { retryAfter: wait })
      await insertNumberCall(tx, call, now)
      const paid = { callId, accountId, destination: number, ceilings }
      const { answers } = await credit.reserve(tx, [paid])
      const grant = answers.get(callId) ?? 'no rate'
      if (grant === 'insufficient') throw refuse('INSUFFICIENT_CREDIT')
      if (grant === 'no rate') throw refuseFields('PhoneNumber', { number: [problem.unpriced] })
      if (!('rate' in grant)) throw refuseByLimit(guard.reached(accountId, ceilings, grant), 'number', now)
      await audit(tx, caller, 'number.called', number)
      return grant.talkSeconds
    })
  }

  async function run(caller: Caller, call: NumberCall, code: string, paidSeconds: number) {
    const { id: callId, number } = call
    const limits = { answer: ringSeconds, typing: Math.min(typingSeconds, paidSeconds) }
    try {
      const result = await commands.callForCode({ callId, number, code, maxTries, limits })
      await untilUp(() => finish(caller, call, result))
    } catch (error) {
      // The sweep ends the call, and releases its credit.
      log.error({ err: error, call: callId }, 'a call that verifies a number could not be stored')
    }
  }

  /** The end of the call, the proof and the price are one transaction. */
  async function finish(caller: Caller, call: NumberCall, result: CodeCallResult) {
    const { id: callId, accountId, number } = call
    await db.transaction().execute(async (tx) => {
      const isTaken = await numbers.isTaken(tx, accountId, number)
      const outcome = isTaken && result.outcome === 'typed' ? 'taken' : outcomes[result.outcome]
      if (!(await endNumberCall(tx, callId, outcome, result.endedAt))) return
      await credit.settle(tx, [{ callId, accountId, destination: number, seconds: talkSeconds(result) }])
      if (outcome !== 'verified' || !(await hasClaim(tx, call))) return
      await numbers.prove(tx, accountId, number, 'call')
      await audit(tx, caller, 'number.verified', number)
    })
    numbers.onChanged(accountId)
  }

  async function audit(tx: Database, { accountId, user }: Caller, action: Action, subject: string) {
    await recordAudit(tx, { accountId, at: clock.now(), action, actor: user.email, subject })
  }

  return {
    verify,
    /** Resolves once the calls of this process are over and stored; the engine has been stopped. */
    finished: async () => void (await Promise.all(running)),
  }
}
export type NumberVerification = ReturnType<typeof createNumberVerification>

const outcomes: Record<CodeCallResult['outcome'], CodeCallOutcome> = {
  typed: 'verified',
  wrong: 'wrong-code',
  'not typed': 'no-code',
  'not answered': 'not-answered',
}

/** D14: whole seconds. */
function talkSeconds({ answeredAt, endedAt }: CodeCallResult): number {
  return answeredAt ? Math.max(0, Math.floor((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
}
