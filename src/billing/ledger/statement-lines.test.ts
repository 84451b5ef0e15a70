/** D161: a line of the statement in the reader's language. */
import { expect, test } from 'vitest'
import { statementLineIn, statementLines } from './statement-lines.ts'

test.each([
  ['trial', statementLines.trial(), 'Crédito de teste'],
  ['charge', statementLines.charge(12), 'Cobrança 12 paga'],
  ['refund', statementLines.refund(12, 1050), 'Cobrança 12: R$ 10.50 estornados'],
  ['call', statementLines.call('5548999998888'), 'Chamada para 5548999998888'],
  ['adjustment', 'Courtesy', 'Courtesy'],
] as const)('of a %s reads the same in both languages', (kind, stored, portuguese) => {
  expect(statementLineIn('en', kind, stored)).toBe(stored)
  expect(statementLineIn('pt', kind, stored)).toBe(portuguese)
})
