/** One delivery: what was sent, every attempt with its answer, and a button that sends it again. */
import '../../look/timeline.css'
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { DeliveryDetail } from '../../api-types.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { explainFailure } from '../../words/failures.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { Code } from '../copy.tsx'
import { useFormat } from '../format.ts'
import { Dialog } from '../forms/dialog.tsx'
import { useAction } from '../forms/use-action.ts'
import { Loaded } from '../states.tsx'

/** Lists of deliveries begin with it. */
export const deliveriesKey = ['deliveries']

type Props = { integrationId: string; deliveryId: string; onClose: () => void }

export function DeliveryDialog({ integrationId, deliveryId, onClose }: Props) {
  const words = useWords(deliveryWords)
  const path = { id: integrationId, deliveryId }
  const delivery = useQuery({
    queryKey: [...deliveriesKey, integrationId, 'one', deliveryId],
    queryFn: () => request('GET', '/integrations/{id}/deliveries/{deliveryId}', { path }),
  })
  const resend = useAction({
    run: () => request('POST', '/integrations/{id}/deliveries/{deliveryId}/redeliver', { path }),
    refresh: [deliveriesKey],
    done: words.resent,
  })
  return (
    <Dialog title={words.event} onClose={onClose} wide>
      <Loaded query={delivery}>
        {(found) => (
          <div className="stack">
            <Attempts delivery={found} />
            <h3>{words.body}</h3>
            <Code text={JSON.stringify(found.payload, null, 2)} />
            <div className="foot">
              <button
                type="button"
                className="button primary"
                disabled={resend.isPending}
                onClick={() => resend.mutate()}
              >
                {words.resend}
              </button>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Attempts({ delivery: { event, tries } }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveryWords)
  const language = useLanguage()
  const format = useFormat()
  return (
    <>
      <h3>{words.types[event] ?? event}</h3>
      {tries.length === 0 && <p className="faint">{words.noAttempts}</p>}
      <ol className="timeline">
        {tries.map(({ at, ms, status, error, response }) => (
          <li key={at}>
            <span className="number faint">{format.time(at)}</span>
            <div>
              <strong>{status ?? (error === null ? '—' : explainFailure(error, language))}</strong>{' '}
              <span className="faint small">{words.took(ms)}</span>
              {response !== '' && <p className="faint small mono">{response.slice(0, 500)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
