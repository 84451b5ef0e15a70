/** `<CallButton number="+55 48 99999-0103" />` rings the phone of the user who is logged in, and dials the number. */
import { useState } from 'react'

export function CallButton({ number }) {
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState('')

  async function call() {
    setBusy(true)
    setOutcome('Your phone rings…')
    try {
      // Your own server, which has the token: server.mjs
      const response = await fetch('/call', { method: 'POST', body: number })
      setOutcome(await response.text())
    } catch {
      setOutcome('The server cannot be reached.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <button type="button" disabled={isBusy} onClick={call}>
        Call {number}
      </button>
      <output>{outcome}</output>
    </>
  )
}
