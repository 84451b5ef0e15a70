/** What was sent to the person's webhooks about a call. */
import { useState } from 'react'
import type { CallTimeline } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { DeliveryDialog } from '../../parts/records/delivery.tsx'
import { DeliveryState } from '../../parts/records/delivery-state.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

type CallDelivery = NonNullable<CallTimeline['deliveries']>[number]

export function Deliveries({ deliveries }: { deliveries: CallDelivery[] }) {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const { types } = useWords(deliveryWords)
  const format = useFormat()
  const [shown, setShown] = useState<CallDelivery>()
  if (deliveries.length === 0) return <p className="faint card-note">{words.noDeliveries}</p>
  const columns: Column<CallDelivery>[] = [
    {
      name: words.event,
      cell: (row) => (
        <button type="button" className="link" onClick={() => setShown(row)}>
          {types[row.delivery.event] ?? row.delivery.event}
        </button>
      ),
    },
    { name: words.integration, cell: ({ gateway }) => gateway },
    { name: common.status, cell: ({ delivery }) => <DeliveryState delivery={delivery} /> },
    {
      name: words.attempts,
      className: 'right hide-narrow',
      cell: ({ delivery: { attempts, lastAttemptAt } }) => (
        <>
          {attempts}
          {lastAttemptAt && <div className="faint small number">{format.time(lastAttemptAt)}</div>}
        </>
      ),
    },
  ]
  return (
    <>
      <Table
        caption={words.deliveries}
        columns={columns}
        rows={deliveries}
        keyOf={({ integrationId, delivery }) => `${integrationId} ${delivery.id}`}
      />
      {shown && (
        <DeliveryDialog
          integrationId={String(shown.integrationId)}
          deliveryId={String(shown.delivery.id)}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}
