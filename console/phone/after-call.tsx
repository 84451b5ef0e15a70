/** The card after a call that was answered: what came of it, in three keys (D592). */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { request } from '../api.ts'
import { ResultForm } from '../parts/records/result-form.tsx'
import { dialledTelephone, telephone } from '../parts/telephone.ts'
import { useWords } from '../words/language.ts'
import { resultWords } from '../words/results.ts'
import { returnToField } from './dial-focus.ts'
import type { PhoneCall } from './moves/phone.ts'
import { usePhone } from './state.ts'

type Ended = { id: string; number: string }

export function AfterCall() {
  const words = useWords(resultWords)
  const { call } = usePhone()
  const [ended, close] = useEnded(call)
  const record = useQuery({
    queryKey: ['call', ended?.id],
    queryFn: () => request('GET', '/calls/{id}', { path: { id: ended?.id ?? '' } }),
    enabled: ended !== undefined,
  })
  const isShown = ended !== undefined && !call && record.data !== undefined
  useEscape(isShown, close)
  if (!isShown) return <p className="visually-hidden" role="status" />
  const title = words.afterCall(ended.number)
  return (
    <section className="dock-panel stack" aria-label={title} data-after-call={ended.id}>
      <p role="status">
        <strong>{title}</strong>
      </p>
      <p className="faint small">{words.keys}</p>
      <ResultForm
        key={ended.id}
        call={record.data}
        takesKeys
        onSaved={close}
        more={
          <button type="button" className="button" onClick={close}>
            {words.later}
          </button>
        }
      />
    </section>
  )
}

/** The call that ended last, if it was answered, until the card is closed or another one ends. */
function useEnded(call: PhoneCall | undefined): [Ended | undefined, () => void] {
  const last = useRef<PhoneCall>(undefined)
  const [ended, setEnded] = useState<Ended>()
  useEffect(() => {
    const before = last.current
    last.current = call
    if (call || !before) return
    if (before.id === undefined || before.answeredAt === undefined) return returnToField()
    const { direction, number } = before
    setEnded({ id: before.id, number: direction === 'out' ? dialledTelephone(number) : telephone(number) })
  }, [call])
  function close() {
    setEnded(undefined)
    returnToField()
  }
  return [ended, close]
}

function useEscape(isOn: boolean, onEscape: () => void) {
  const latest = useRef(onEscape)
  latest.current = onEscape
  useEffect(() => {
    if (!isOn) return
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Escape' || (event.target as HTMLElement).closest('.curtain')) return
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}
