/** Contacts and colleagues that match what is typed, with the presence of colleagues, as a list of the field. */
import { useLive } from '../live.ts'
import { useExtensions } from '../own-extension.ts'
import { useContactSearch } from '../parts/records/contact-search.ts'
import { conversationsOf } from '../parts/records/conversations.ts'
import { telephone } from '../parts/telephone.ts'
import { useSignedIn } from '../session.ts'
import { useWords } from '../words/language.ts'
import { peopleWords } from '../words/people.ts'

/** For the `list` of an input. */
export function Suggestions({ id, typed }: { id: string; typed: string }) {
  const words = useWords(peopleWords)
  const { calls, phones } = useLive()
  const { data: extensions = [] } = useExtensions()
  const people = useContactSearch(typed.trim())
  const busy = new Set(conversationsOf(calls).flatMap(({ from, to }) => [from, to]))
  const present = new Set(phones.map(({ ramal }) => ramal))
  // A USER sees their own calls alone: whether a colleague talks is not known.
  const { user } = useSignedIn()
  const idle = user.role === 'ADMIN' ? 'free' : 'on'
  const presenceOf = (ramal: string) =>
    words.presence[busy.has(ramal) ? 'busy' : present.has(ramal) ? idle : 'away']
  return (
    <datalist id={id}>
      {extensions.map(({ ramal, first_name, last_name }) => (
        <option key={ramal} value={ramal}>
          {`${first_name} ${last_name} · ${presenceOf(ramal)}`}
        </option>
      ))}
      {people.flatMap(({ name, company, numbers = [] }) =>
        numbers.map((number) => (
          <option key={number} value={telephone(number)}>
            {company ? `${name} · ${company}` : name}
          </option>
        )),
      )}
    </datalist>
  )
}
