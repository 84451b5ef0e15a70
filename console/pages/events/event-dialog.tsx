/** One event: its body, and sending it to one of the own integrations. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api.ts'
import type { Integration, LoggedEvent } from '../../api-types.ts'
import { Code } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { SelectField } from '../../parts/forms/field.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { Loaded } from '../../parts/states.tsx'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { eventWords } from './words.ts'

export function EventDialog({ event, onClose }: { event: LoggedEvent; onClose: () => void }) {
  const { types } = useWords(deliveryWords)
  const integrations = useQuery({
    queryKey: ['integrations'],
    queryFn: () => request('GET', '/integrations'),
  })
  return (
    <Dialog title={types[event.event] ?? event.event} onClose={onClose} wide>
      <div className="stack">
        <Code text={JSON.stringify(event.payload, null, 2)} />
        <Loaded query={integrations} lines={1}>
          {(found) => <Replay event={event} integrations={found} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

function Replay({ event, integrations }: { event: LoggedEvent; integrations: Integration[] }) {
  const words = useWords(eventWords)
  const { resend } = useWords(deliveryWords)
  const able = integrations.filter(({ webhook }) => webhook)
  const [chosen, setChosen] = useState(String(able[0]?.id ?? ''))
  const replay = useAction({
    run: () =>
      request('POST', '/integrations/{id}/replay', {
        path: { id: chosen },
        body: { cursors: [event.cursor] },
      }),
    refresh: [deliveriesKey],
    done: ({ replayed }) => (replayed === 0 ? words.alreadyQueued : words.queued),
  })
  if (able.length === 0) return <p className="faint">{words.noIntegration}</p>
  return (
    <div className="foot">
      <SelectField
        label={words.sendTo}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        choices={able.map(({ id, gateway }) => ({ value: String(id), name: gateway }))}
      />
      <button
        type="button"
        className="button primary"
        disabled={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {resend}
      </button>
    </div>
  )
}
