/** Contacts and colleagues that match what is typed, with the presence of colleagues, as a list of the field. */
import { useContactSearch } from '../parts/records/contact-search.ts'
import { telephone } from '../parts/telephone.ts'
import { useWords } from '../words/language.ts'
import { peopleWords } from '../words/people.ts'
import { usePresences } from './presences.ts'

/** For the `list` of an input. */
export function Suggestions({ id, typed }: { id: string; typed: string }) {
  const words = useWords(peopleWords)
  const colleagues = usePresences(typed.trim() !== '')
  return (
    <datalist id={id}>
      {colleagues.map(({ ramal, first_name, last_name, presence }) => (
        <option key={ramal} value={ramal}>
          {`${first_name} ${last_name} · ${words.presence[presence]}`}
        </option>
      ))}
      <SuggestedContacts typed={typed} />
    </datalist>
  )
}

export function SuggestedContacts({ typed }: { typed: string }) {
  return useContactSearch(typed.trim()).flatMap(({ name, company, numbers = [] }) =>
    numbers.map((number) => (
      <option key={number} value={telephone(number)}>
        {company ? `${name} · ${company}` : name}
      </option>
    )),
  )
}
