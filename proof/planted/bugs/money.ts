/** Bugs about balances, reservations, prices and payments. */
import type { Bug } from '../bug.ts'

export const moneyBugs: Bug[] = [
  {
    name: 'balance-without-lock',
    about: 'Credit is reserved by a balance that was read without a lock.',
    file: 'src/billing/credit/reserving-sql.ts',
    search: 'order by account_id for no key update\n  ), room',
    replace: 'order by account_id\n  ), room',
    foundBy: ['money', 'reservations'],
  },
  {
    name: 'reservation-kept',
    about: 'The end of a call releases its reservation but not the credit that was set aside.',
    file: 'src/billing/credit/credit.ts',
    search: 'const reserved = released.map(({ accountId, amount }) => ({ accountId, amount: -amount }))',
    replace: 'const reserved = released.map(({ accountId }) => ({ accountId, amount: 0 }))',
    foundBy: ['reservations'],
  },
  {
    name: 'orphans-not-settled',
    about: 'The sweep ends calls and leaves their reservations.',
    file: 'src/calls/events/end-calls.ts',
    search: 'const prices = await priceEnded(tx, credit, ended)',
    replace: 'const prices = await priceEnded(tx, credit, ended.slice(0, 0))',
    foundBy: ['reservations', 'price'],
  },
  {
    name: 'lost-number-call-kept',
    about: 'The sweep ends calls that were to verify a number and leaves their reservations.',
    file: 'src/placing/number-call-sweep.ts',
    search: 'await credit.settle(tx, unpaid)',
    replace: 'await credit.settle(tx, unpaid.slice(0, 0))',
    foundBy: ['reservations'],
  },
  {
    name: 'price-after-commit',
    about: 'The payment is taken in another transaction than the end of the call.',
    file: 'src/calls/events/store-events.ts',
    search: 'write(tx, events, deps, (bill) => credit.payUnlessLow(tx, bill)),',
    replace: 'write(tx, events, deps, (bill) => credit.payUnlessLow(db, bill)),',
    foundBy: ['money', 'reservations', 'cycles'],
  },
  {
    name: 'grace-forgotten',
    about: 'A call of a second is billed for a block.',
    file: 'src/billing/tariff/rate.ts',
    search: 'if (seconds <= grace) return 0',
    replace: 'if (seconds < grace) return 0',
    foundBy: ['price'],
  },
  {
    name: 'step-rounded-down',
    about: 'The last block is billed only when it is full.',
    file: 'src/billing/tariff/rate.ts',
    search: 'return Math.max(firstBlock, step * Math.ceil(seconds / step))',
    replace: 'return Math.max(firstBlock, step * Math.floor(seconds / step))',
    foundBy: ['price'],
  },
  {
    name: 'charge-credited-twice',
    about:
      'A payment is credited at each of its two paid statuses: the ledger refuses the second, and the charge stays as it was.',
    file: 'src/billing/charges/charge-transitions.ts',
    search: 'const pays = isPaid(to) && charge.paid_at === null',
    replace: 'const pays = isPaid(to)',
    foundBy: ['money'],
  },
  {
    name: 'partial-refund-forgotten',
    about: 'Only whole refunds are booked.',
    file: 'src/billing/charges/charge-transitions.ts',
    search: 'const refunded = whole ? charge.amount : Math.min(payment.refunded, charge.amount)',
    replace: 'const refunded = whole ? charge.amount : Math.min(0, payment.refunded)',
    foundBy: ['money'],
  },
  {
    name: 'refund-not-added-up',
    about:
      'What was refunded is not remembered: the next event of the payment books it again, or fails for good.',
    file: 'src/billing/charges/charge-transitions.ts',
    search: 'const moved = await updateCharge(tx, charge.id, { refunded })',
    replace: 'const moved = await updateCharge(tx, charge.id, { refunded: 0 })',
    foundBy: ['money'],
  },
  {
    name: 'payment-answered-before-commit',
    about: 'The gateway is answered before its event is stored: one that is lost is never sent again.',
    file: 'src/billing/charges/reconciliation.ts',
    search: 'if (await insertEvent(db, gateway.name, event, clock.now())) wake()',
    replace: 'insertEvent(db, gateway.name, event, clock.now()).then(wake, () => {})',
    foundBy: ['money'],
  },
  {
    name: 'key-taken-over-after-work',
    about:
      'A key whose work is done, but whose final answer is not saved yet, is taken over when its lease ends: it is done again.',
    file: 'src/store/idempotency.ts',
    search:
      "free('idempotency_keys.status', 'is', null),\n                free('idempotency_keys.answer', 'is', null),",
    replace: "free('idempotency_keys.status', 'is', null),",
    foundBy: ['idempotency'],
  },
]
