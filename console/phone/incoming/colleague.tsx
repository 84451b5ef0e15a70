/** Colleagues of a call by their names: the one at the other side, and the one who transferred it (D641). */
import { useExtensions } from '../../own-extension.ts'
import { useWords } from '../../words/language.ts'
import type { PhoneCall } from '../moves/phone.ts'
import { phoneWords } from '../words.ts'

export function Colleague({ call: { number, transferredBy } }: { call: PhoneCall }) {
  const words = useWords(phoneWords)
  const { data = [] } = useExtensions()
  const nameOf = (ramal: string) => {
    const found = data.find((extension) => extension.ramal === ramal)
    return found && `${found.first_name} ${found.last_name}`
  }
  return (
    <>
      {nameOf(number) && <span className="small">{nameOf(number)}</span>}
      {transferredBy !== undefined && (
        <span className="faint small">{words.transferredBy(nameOf(transferredBy) ?? transferredBy)}</span>
      )}
    </>
  )
}
