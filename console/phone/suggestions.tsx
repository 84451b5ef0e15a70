/** Contacts and colleagues that match what is typed, with the presence of colleagues, as a list of the field. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { request } from '../api.ts'
import { useLive } from '../live.ts'
import { useExtensions } from '../own-extension.ts'
import { conversationsOf } from '../parts/records/conversations.ts'
import { telephone } from '../parts/telephone.ts'
import { useSignedIn } from '../session.ts'
import { useWords } from '../words/language.ts'
import { peopleWords } from '../words/people.ts'

const minTyped = 2
const maxContacts = 8

/** For the `list` of an input. */
export function Suggestions({ id, typed }: { id: string; typed: string }) {
  const words = useWords(peopleWords)
  const search = useDeferredValue(typed.trim())
  const { calls, phones } = useLive()
  const { data: extensions = [] } = useExtensions()
  const contacts = useQuery({
    queryKey: ['contacts', 'search', search],
    queryFn: () => request('GET', '/contacts', { query: { search, page: 1, filter } }),
    enabled: search.length >= minTyped,
    placeholderData: keepPreviousData,
  })
  const busy = new Set(conversationsOf(calls).flatMap(({ from, to }) => [from, to]))
  const present = new Set(phones.map(({ ramal }) => ramal))
  // A USER sees their own calls alone: whether a colleague talks is not known.
  const { user } = useSignedIn()
  const idle = user.role === 'ADMIN' ? 'free' : 'on'
  const presenceOf = (ramal: string) =>
    words.presence[busy.has(ramal) ? 'busy' : present.has(ramal) ? idle : 'away']
  const people = (search.length >= minTyped && contacts.data?.data) || []
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

const filter = JSON.stringify({ limit: maxContacts })
