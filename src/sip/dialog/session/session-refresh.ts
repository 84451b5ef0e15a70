/** Refreshes the session (RFC 4028, 7.4): by UPDATE if the peer allows it, since that needs no offer; else by re-INVITE. */
import type { SipResponse } from '../../message/message.ts'
import type { RequestFailure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { agreedTerms, minSeOf, timerHeaders } from '../session-terms.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  dialog: Dialog
  session: SessionTimer
  peerAllowsUpdate: boolean
  reInvite(): void
  onLost(why: SipResponse | RequestFailure): void
}

export function createSessionRefresh({ dialog, session, peerAllowsUpdate, reInvite, onLost }: Deps) {
  return () => (peerAllowsUpdate ? update() : reInvite())

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
            dialog.refreshTarget(response)
            session.start(agreedTerms(response))
          } else if (wanted !== undefined && minSe === undefined) update(wanted)
          else if (response.status === 481 || response.status === 408) onLost(response)
          // The peer's Allow lists UPDATE, but it refuses one.
          else reInvite()
        },
        onFailed: onLost,
      },
    )
  }
}
