/** Participants and messages in words. */
import { duration } from '../../parts/format.ts'
import { locale, useWords } from '../../words/language.ts'
import type { Participant, Step } from './ladder.ts'
import { sipWords } from './words.ts'

/** With node or address where another participant has the same role. */
export function useNames(participants: Participant[]): string[] {
  const { roles } = useWords(sipWords)
  return participants.map(({ role, node, address }) => {
    const isOnly = participants.filter((other) => other.role === role).length === 1
    return isOnly ? roles[role] : `${roles[role]} ${node ?? address}`
  })
}

export const labelOf = ({ method, response }: Step): string =>
  response ? `${response.status} ${response.reason}`.trim() : method

/** `6.130 s`, or `1:06.130` from a minute. */
export function afterText(milliseconds: number): string {
  const digits = { minimumFractionDigits: 3, maximumFractionDigits: 3 }
  const format = new Intl.NumberFormat(locale(), digits)
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${format.format(seconds)} s`
  return `${duration(seconds)}${format.format((milliseconds % 1000) / 1000).slice(1)}`
}
