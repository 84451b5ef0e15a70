/** Do not disturb (D602): calls that come in are refused as busy, until it is switched off again in this browser. */
import { Check } from '../../parts/forms/field.tsx'
import { useWords } from '../../words/language.ts'
import { phone } from '../phone.ts'
import { usePhone } from '../state.ts'
import { phoneWords } from '../words.ts'

export function DoNotDisturb() {
  const words = useWords(phoneWords)
  const { isUndisturbed } = usePhone()
  return (
    <Check
      label={words.doNotDisturb}
      checked={isUndisturbed}
      onChange={(event) => phone()?.setUndisturbed(event.target.checked)}
    />
  )
}
