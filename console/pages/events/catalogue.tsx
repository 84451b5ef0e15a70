/** Every type of event that a webhook may receive, with an example of its body (D605). */
import './catalogue.css'
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
          <div className="card flush">
            {found.map((info) => (
              <Type key={info.type} info={info} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Type({ info: { type, audience, optional, about, example } }: { info: EventTypeInfo }) {
  const words = useWords(eventWords)
  const { types } = useWords(deliveryWords)
  return (
    <details className="entry" id={type}>
      <summary>
        <h2>
          <code>{type}</code>
        </h2>
        <span>{words.abouts[type] ?? types[type] ?? about}</span>
        <span className="row">
          {audience === 'admins' && <span className="badge warn">{words.forAdmins}</span>}
          <span className="badge">{optional ? words.optional : words.always}</span>
        </span>
      </summary>
      <h3>{words.example}</h3>
      <Code text={JSON.stringify(example, null, 2)} />
    </details>
  )
}
