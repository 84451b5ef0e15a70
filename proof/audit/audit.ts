/** D550: the auditor. It checks a history against every promise of the service. Pure; an empty answer means that all of them held. */
import {
  checkAcknowledged,
  checkEnds,
  checkHangUps,
  checkIdempotency,
  checkRefusals,
} from './checks/calls.ts'
import { checkFeed, checkOrder, checkWebhooks } from './checks/events.ts'
import { checkIsolation } from './checks/isolation.ts'
import {
  checkCharges,
  checkCredit,
  checkMoney,
  checkPrices,
  checkRefunds,
  checkReservations,
} from './checks/money.ts'
import { checkNumbers } from './checks/numbers.ts'
import { checkRecordings, checkRegistrations, checkSettled } from './checks/phones.ts'
import { checkStates } from './checks/states.ts'
import { checkSilence, checkTimes } from './checks/times.ts'
import type { History } from './history.ts'
import type { Violation } from './violation.ts'

const checks = [
  checkEnds,
  checkStates,
  checkSilence,
  checkTimes,
  checkOrder,
  checkFeed,
  checkWebhooks,
  checkMoney,
  checkCharges,
  checkCredit,
  checkRefunds,
  checkPrices,
  checkReservations,
  checkAcknowledged,
  checkIdempotency,
  checkHangUps,
  checkRefusals,
  checkRegistrations,
  checkRecordings,
  checkNumbers,
  checkSettled,
  checkIsolation,
]

export function audit(history: History): Violation[] {
  return checks.flatMap((check) => check(history))
}
