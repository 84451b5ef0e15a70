/** The two parties of a call, as lists show them. */
import type { CallRecord } from '../../api-types.ts'
import { telephone } from '../telephone.ts'

/** Who was called or, of an inbound call, who called. */
export const otherSideOf = ({ call_type, from, to }: Pick<CallRecord, 'call_type' | 'from' | 'to'>) =>
  call_type === 'inbound' ? from : to

type Props = { call: Pick<CallRecord, 'call_type' | 'from' | 'to' | 'first_name'>; side: 'from' | 'to' }

/** The number and, if it is the extension, its person. */
export function Party({ call, side }: Props) {
  const isExtension = side === (call.call_type === 'inbound' ? 'to' : 'from')
  return (
    <>
      <span className="number">{telephone(call[side])}</span>
      {isExtension && <span className="faint hide-narrow"> {call.first_name}</span>}
    </>
  )
}
