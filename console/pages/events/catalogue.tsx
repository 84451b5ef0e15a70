/** Every type of event that a webhook may receive, with an example of its body (D605). */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import type { EventTypeInfo } from '../../api-types.ts'
import { Code } from '../../parts/copy.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { eventWords } from './words.ts'

export default function Catalogue() {
  const words = useWords(eventWords)
  const types = useQuery({
    queryKey: ['event types'],
    queryFn: () => request('GET', '/events/types'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page
      title={words.catalogue}
      about={
        <>
          <Link href="/events">← {words.title}</Link> · {words.catalogueAbout}
        </>
      }
    >
      <Loaded query={types} lines={12}>
        {(found) => (
          <div className="stack">
            {found.map((info) => (
              <TypeCard key={info.type} info={info} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function TypeCard({ info: { type, audience, optional, about, example } }: { info: EventTypeInfo }) {
  const words = useWords(eventWords)
  const { types } = useWords(deliveryWords)
  return (
    <section className="card stack" id={type}>
      <div className="row between">
        <h2>
          <code>{type}</code>
        </h2>
        <span className="row">
          {audience === 'admins' && <span className="badge">{words.forAdmins}</span>}
          <span className="badge">{optional ? words.optional : words.always}</span>
        </span>
      </div>
      <p>{words.abouts[type] ?? types[type] ?? about}</p>
      <details>
        <summary>{words.example}</summary>
        <Code text={JSON.stringify(example, null, 2)} />
      </details>
    </section>
  )
}
