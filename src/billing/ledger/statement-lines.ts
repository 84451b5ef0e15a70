/**
 * What a line of the statement says. The ledger, which is never changed, has it in English; it is read back into the
 * language of the request (D161). What an operator wrote stays as it is.
 */
import type { EntryKind } from '../../contract/money/credits.ts'
import type { Language } from '../../kit/text/language.ts'
import { type Centavos, formatCentavos } from '../../kit/text/money.ts'

export const statementLines = {
  trial: () => 'Trial credit',
  charge: (id: number) => `Charge ${id} paid`,
  refund: (id: number, amount: Centavos) => `Charge ${id}: ${formatCentavos(amount)} refunded`,
  call: (destination: string) => `Call to ${destination}`,
}

type Line = { shape: RegExp; pt: string }

const translations: Record<Exclude<EntryKind, 'adjustment'>, Line> = {
  trial: { shape: /^Trial credit$/, pt: 'Crédito de teste' },
  charge: { shape: /^Charge (\d+) paid$/, pt: 'Cobrança $1 paga' },
  refund: { shape: /^Charge (\d+): (.*) refunded$/, pt: 'Cobrança $1: $2 estornados' },
  call: { shape: /^Call to (.*)$/, pt: 'Chamada para $1' },
}

export function statementLineIn(language: Language, kind: EntryKind, stored: string): string {
  if (language === 'en' || kind === 'adjustment') return stored
  const { shape, pt } = translations[kind]
  return stored.replace(shape, pt)
}
