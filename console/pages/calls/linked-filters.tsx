/** D604: filters that a figure of the reports leads to, and that have no field of their own; pressed, each is removed. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { callWords } from '../../words/calls.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { none } from './filters.ts'
import { callPageWords } from './words.ts'

export function LinkedFilters({ filters }: { filters: ReturnType<typeof useFilters> }) {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const { causes } = useWords(callWords)
  const [extension, user, cause] = [filters.read('extension'), filters.read('user'), filters.read('cause')]
  const userName = useUserName(user)
  const set = [
    { name: 'extension', value: extension, text: `${common.extension}: ${extension}` },
    { name: 'user', value: user, text: `${words.user}: ${userName}` },
    {
      name: 'cause',
      value: cause,
      text: `${words.cause}: ${causes[cause as keyof typeof causes] ?? cause}`,
    },
  ].filter(({ value }) => value !== '')
  if (set.length === 0) return null
  return (
    <div className="chips">
      {set.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={true}
          onClick={() => filters.set({ [name]: '' })}
        >
          {text} <Icon name="close" />
        </button>
      ))}
    </div>
  )
}

function useUserName(uuid: string): string {
  const common = useWords(commonWords)
  const users = useQuery({
    queryKey: ['users'],
    queryFn: () => request('GET', '/users'),
    enabled: uuid !== '' && uuid !== none,
  })
  if (uuid === none) return common.none
  return users.data?.find((user) => user.uuid === uuid)?.name ?? uuid
}
