/** The sign of life we owe (RFC 4028, 7.4): by UPDATE, which disturbs nothing, where the other end takes it. */
import type { SipResponse } from '../../message/message.ts'
import type { Failure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { leastOf, termsOf, wishTimer } from './session-terms.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  dialog: Dialog
  session: SessionTimer
  byUpdate: boolean
  reInvite(): void
  lost(why: SipResponse | Failure): void
}

export function createRefresh({ dialog, session, byUpdate, reInvite, lost }: Deps) {
  return () => (byUpdate ? update() : reInvite())

  function update(least?: number) {
    const seconds = session.terms()?.seconds
    if (seconds === undefined) return
    dialog.send(
      'UPDATE',
      { headers: wishTimer({ seconds, least, refresher: 'uac' }) },
      {
        final(response) {
          const wanted = leastOf(response)
          if (response.status < 300) {
            dialog.refresh(response)
            session.start(termsOf(response))
          } else if (wanted !== undefined && least === undefined) update(wanted)
          else if (response.status === 481 || response.status === 408) lost(response)
          // It said that it takes UPDATE, and does not: there is the other way.
          else reInvite()
        },
        failed: lost,
      },
    )
  }
}
