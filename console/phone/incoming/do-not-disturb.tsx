/** Do not disturb (D602, D675): calls that come in are refused as busy, by this phone and by the service. */

import { useEffect, useState } from 'react'
import { sentenceOf } from '../../api.ts'
import { Check } from '../../parts/forms/field.tsx'
import { toastError } from '../../parts/toasts.tsx'
import { useWords } from '../../words/language.ts'
import { phone } from '../phone.ts'
import { setDoNotDisturb, useUndisturbed } from '../presences.ts'
import { usePhone } from '../state.ts'
import { phoneWords } from '../words.ts'

export function DoNotDisturb({ extensionId }: { extensionId: number }) {
  const words = useWords(phoneWords)
  const { isUndisturbed } = usePhone()
  const [isBusy, setIsBusy] = useState(false)
  async function set(isOn: boolean) {
    setIsBusy(true)
    await setDoNotDisturb(extensionId, isOn).then(
      () => phone()?.setUndisturbed(isOn),
      (error) => toastError(sentenceOf(error)),
    )
    setIsBusy(false)
  }
  return (
    <Check
      label={words.doNotDisturb}
      checked={isUndisturbed}
      disabled={isBusy}
      onChange={(event) => void set(event.target.checked)}
    />
  )
}

/** The phone of this page does what is set for its extension, wherever it was set. */
export function useDoNotDisturb(extensionId: number | undefined) {
  const { registration } = usePhone()
  const isOn = useUndisturbed(extensionId)
  const isReady = registration === 'ready'
  useEffect(() => {
    if (isReady && isOn !== undefined) phone()?.setUndisturbed(isOn)
  }, [isReady, isOn])
}
