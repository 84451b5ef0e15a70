/**
 * Refreshes the session (RFC 4028, 7.4), and carries headers that are to reach the peer: by UPDATE if the peer allows it, since
 * that needs no offer; else by re-INVITE.
 */
import type { SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { RequestFailure } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import { agreedTerms, minSeOf, timerHeadersOf } from '../session-terms.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  dialog: Dialog
  session: SessionTimer
  peerAllowsUpdate: boolean
  reInvite(headers: HeaderPairs): void
  onLost(why: SipResponse | RequestFailure): void
}

export function createSessionRefresh({ dialog, session, peerAllowsUpdate, reInvite, onLost }: Deps) {
  return (headers: HeaderPairs = []) => (peerAllowsUpdate ? update(headers) : reInvite(headers))

  function update(headers: HeaderPairs, minSe?: number) {
    dialog.send(
      'UPDATE',
      { headers: [...timerHeadersOf(session.terms(), minSe), ...headers] },
      {
        onFinal(response) {
          const wanted = minSeOf(response)
          if (response.status < 300) {
            dialog.refreshTarget(response)
            session.start(agreedTerms(response))
          } else if (wanted !== undefined && minSe === undefined) update(headers, wanted)
          else if (response.status === 481 || response.status === 408) onLost(response)
          // The peer's Allow lists UPDATE, but it refuses one.
          else reInvite(headers)
        },
        onFailed: onLost,
      },
    )
  }
}
