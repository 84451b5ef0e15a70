/** A call in a short list: with whom, when, and how it went. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CallRecord } from '../../api-types.ts'
import { duration, useFormat } from '../format.ts'
import { telephone } from '../telephone.ts'
import { otherSideOf } from './parties.tsx'
import { CallStatus, CallType } from './status.tsx'

export function RecentCall({ call, action }: { call: CallRecord; action?: ReactNode }) {
  const format = useFormat()
  const extension = call.call_type === 'inbound' ? call.to : call.from
  return (
    <li>
      <CallType type={call.call_type} />
      <div>
        <Link href={`/calls/${call.id}`} className="number">
          {telephone(otherSideOf(call))}
        </Link>
        <div className="faint small">
          {format.moment(call.started_at)}
          {call.duration > 0 && ` · ${duration(call.duration)}`}
          <span className="hide-narrow">
            {' · '}
            {telephone(extension)} {call.first_name}
          </span>
        </div>
      </div>
      <CallStatus status={call.status} />
      {action}
    </li>
  )
}
