/** Where the phone is, if not here, and the button that brings it here. */
import { useState } from 'react'
import { Confirm } from '../parts/forms/confirm.tsx'
import { useWords } from '../words/language.ts'
import { isOtherTabInCall } from './phone.ts'
import { phoneWords } from './words.ts'

type Props = {
  reason: string
  action: string
  /** The phone is in another tab. */
  mayEndCall: boolean
  takeOver: () => void
}

export function Away({ reason, action, mayEndCall, takeOver }: Props) {
  const words = useWords(phoneWords)
  const [asks, setAsks] = useState(false)
  async function press() {
    if (mayEndCall && (await isOtherTabInCall())) setAsks(true)
    else takeOver()
  }
  return (
    <div className="stack">
      <p>{reason}</p>
      <button type="button" className="button" onClick={() => void press()}>
        {action}
      </button>
      {asks && (
        <Confirm
          title={action}
          action={words.takeBack}
          isBusy={false}
          onConfirm={takeOver}
          onClose={() => setAsks(false)}
        >
          <p>{words.otherTabInCall}</p>
        </Confirm>
      )}
    </div>
  )
}
