/** Test cards of the sandbox: each number stands for one outcome. Other numbers are refused. */

/** What happens to a payment with the card, at once or after a minute. */
export type CardFate = 'approved' | 'refused' | 'review approved' | 'review refused' | 'charged back'

/** Known from the test cards of other gateways; all pass the Luhn check. */
export const testCards: { number: string; fate: CardFate }[] = [
  { number: '4111111111111111', fate: 'approved' },
  { number: '4000000000000002', fate: 'refused' },
  { number: '4000000000009235', fate: 'review approved' },
  { number: '4000000000004954', fate: 'review refused' },
  { number: '4000000000000259', fate: 'charged back' },
]

/** As typed. */
export type CardForm = { holder: string; number: string; expiry: string; cvv: string }

export type CardField = keyof CardForm

/** What is stored of a card: never its number, holder or code. */
export type Card = { fate: CardFate; lastFour: string }

export type CardProblems = { problems: Map<CardField, CardProblem> }

export type CardProblem = 'missing' | 'number' | 'not a test card' | 'expiry' | 'expired' | 'cvv'

export function readCard(form: CardForm, now: Date): Card | CardProblems {
  const problems = new Map<CardField, CardProblem>()
  if (form.holder.trim() === '') problems.set('holder', 'missing')
  const number = form.number.replace(/[ .-]/g, '')
  const known = testCards.find((card) => card.number === number)
  if (!known) problems.set('number', isCardNumber(number) ? 'not a test card' : 'number')
  const expiry = checkExpiry(form.expiry, now)
  if (expiry) problems.set('expiry', expiry)
  if (!/^\d{3,4}$/.test(form.cvv.trim())) problems.set('cvv', 'cvv')
  if (!known || problems.size > 0) return { problems }
  return { fate: known.fate, lastFour: number.slice(-4) }
}

/** A card is valid until the end of its month. */
function checkExpiry(text: string, now: Date): CardProblem | undefined {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(text) ?? []
  if (month === undefined || year === undefined) return 'expiry'
  return Date.UTC(2000 + Number(year), Number(month), 1) <= now.getTime() ? 'expired' : undefined
}

/** The Luhn check. */
function isCardNumber(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false
  let sum = 0
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
