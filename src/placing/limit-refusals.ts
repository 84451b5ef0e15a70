/** What a client is answered when a limit of the account refuses a call (D193, D194). */
import { fieldDetails, type Refusal, refuse } from '../contract/errors.ts'
import { inEveryLanguage, type Translated } from '../kit/text/language.ts'
import { writeCentavos } from '../kit/text/money.ts'
import type { LimitRefusal } from '../limits/call-guard.ts'
import type { Range } from '../limits/ranges.ts'

export function refuseByLimit(refusal: LimitRefusal, field: string, now: Date): Refusal {
  if (refusal.rule === 'destination') return refuseDestination(refusal.range, field)
  const retryAfter = Math.max(1, Math.ceil((refusal.endsAt.getTime() - now.getTime()) / 1000))
  const until = refusal.endsAt.toISOString()
  if (refusal.rule === 'calls-per-day') {
    const message = {
      en: `The account may place ${refusal.limit} calls a day, and has placed them. The next day begins at ${until}.`,
      pt: `A conta pode fazer ${refusal.limit} chamadas por dia e já as fez. O próximo dia começa em ${until}.`,
    }
    return refuse('DAILY_CALL_LIMIT', { message, retryAfter })
  }
  const reais = `R$ ${writeCentavos(refusal.limit)}`
  const message = {
    en: `The account may spend ${reais} a day on calls, and has spent or reserved them. The next day begins at ${until}.`,
    pt: `A conta pode gastar ${reais} por dia com chamadas e já os gastou ou reservou. O próximo dia começa em ${until}.`,
  }
  return refuse('DAILY_SPENDING_LIMIT', { message, retryAfter })
}

function refuseDestination(range: Range | undefined, field: string): Refusal {
  const problem = range ? inEveryLanguage((language) => barred[language](range)) : abroad
  return refuse('DESTINATION_NOT_ALLOWED', {
    message: inEveryLanguage((language) => `\`${field}\` ${problem[language]}`),
    details: fieldDetails('Call', { [field]: [{ code: 'exclusion', message: problem }] }),
  })
}

const abroad: Translated<string> = {
  en: 'is a number outside Brazil, and calling other countries is not enabled for this account. Ask support to enable it.',
  pt: 'é um número fora do Brasil, e ligar para outros países não está liberado para esta conta. Peça a liberação ao suporte.',
}

const barred: Translated<(range: Range) => string> = {
  en: ({ name, prefix, reason }) =>
    `is in a range that is not enabled for this account: +${prefix}, ${name.en}. ${reason.en} Ask support to enable it.`,
  pt: ({ name, prefix, reason }) =>
    `está em uma faixa que não está liberada para esta conta: +${prefix}, ${name.pt}. ${reason.pt} Peça a liberação ao suporte.`,
}
