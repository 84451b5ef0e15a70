/** The ledger of an account as a list that can be searched, newest first (D42). */
import { entryKinds } from '../../contract/money/credits.ts'
import { defineList } from '../../filter/list.ts'

export const statementList = defineList({
  fields: {
    id: { kind: 'integer', column: 'ledger_entries.id' },
    at: { kind: 'instant', column: 'ledger_entries.at' },
    kind: { kind: 'choice', choices: entryKinds, column: 'ledger_entries.kind' },
    amount: { kind: 'decimal', scale: 2, column: 'ledger_entries.amount' },
    balance: { kind: 'decimal', scale: 2, column: 'ledger_entries.balance' },
    reference: { kind: 'text', column: 'ledger_entries.reference' },
    description: { kind: 'text', column: 'ledger_entries.description' },
  },
  shows: ['id', 'at', 'kind', 'amount', 'balance', 'reference', 'description'],
  order: 'at DESC',
  id: 'ledger_entries.id',
  example: { where: { kind: 'charge', amount: { gte: 100 } }, limit: 20 },
})
