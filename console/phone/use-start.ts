/** Starts the phone for the person's own extension, on whichever page they are. */
import { useEffect } from 'react'
import type { Extension } from '../api-types.ts'
import { useOwnExtension } from '../own-extension.ts'
import { telephone } from '../parts/telephone.ts'
import { useSignedIn } from '../session.ts'
import { useWords } from '../words/language.ts'
import type { DescribeCall } from './agent/effects.ts'
import { startPhone, stopPhone, takePhone } from './phone.ts'
import { isOutOfReach as readReach } from './reach.ts'
import { isBrowserPhone, setPhone, usePhone } from './state.ts'
import { phoneWords } from './words.ts'

/** An extension has one phone: this one does not take the place of a desk phone unless the person says so. */
const hasOtherPhone = ({ registered, user_agent }: Extension) => registered && !isBrowserPhone(user_agent)

export function useStartPhone() {
  const extension = useOwnExtension()
  const { features } = useSignedIn()
  const words = useWords(phoneWords)
  const { webPhone } = features
  const { isOutOfReach } = usePhone()
  const describe: DescribeCall = (number, isSecond) => ({
    text: (isSecond ? words.secondCall : words.incoming)(telephone(number)),
    buttons: { answer: isSecond ? words.holdAndAnswer : words.answer, refuse: words.decline },
  })

  useEffect(() => {
    readReach().then(
      (found) => setPhone({ isOutOfReach: found }),
      () => setPhone({ isOutOfReach: false }),
    )
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words need no other registration.
  useEffect(() => {
    if (!extension || webPhone === null || hasOtherPhone(extension)) return
    if (isOutOfReach !== false) return
    startPhone({ extension, describe })
  }, [extension?.id, webPhone, isOutOfReach])
  useEffect(() => stopPhone, [])

  return {
    extension,
    isAvailable: webPhone !== null,
    hasOther: extension !== undefined && hasOtherPhone(extension),
    takeOver: () => extension && takePhone({ extension, describe }),
  }
}
