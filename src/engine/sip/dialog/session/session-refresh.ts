/** The sign of life we owe (RFC 4028, 7.4): by UPDATE, which disturbs nothing, where the other end takes it. */
import type { SipResponse } from '../../message/message.ts'
import type { RequestFailure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { agreedTerms, minSeOf, timerHeaders } from './session-terms.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  dialog: Dialog
  session: SessionTimer
  byUpdate: boolean
  reInvite(): void
  onLost(why: SipResponse | RequestFailure): void
}

export function createSessionRefresh({ dialog, session, byUpdate, reInvite, onLost }: Deps) {
  return () => (byUpdate ? update() : reInvite())

  function update(minSe?: number) {
    const seconds = session.terms()?.seconds
    if (seconds === undefined) return
    dialog.send(
      'UPDATE',
      { headers: timerHeaders({ seconds, minSe, refresher: 'uac' }) },
      {
        onFinal(response) {
          const wanted = minSeOf(response)
          if (response.status < 300) {
            dialog.refresh(response)
            session.start(agreedTerms(response))
          } else if (wanted !== undefined && minSe === undefined) update(wanted)
          else if (response.status === 481 || response.status === 408) onLost(response)
          // It said that it takes UPDATE, and does not: there is the other way.
          else reInvite()
        },
        onFailed: onLost,
      },
    )
  }
}
