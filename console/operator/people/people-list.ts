/** The operators, as their page and the filter of the log read them. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorPerson } from '../../../src/contract/operator-people.ts'
import { operate } from '../operator-api.ts'

export const peopleKey = ['operator', 'operators']

export function usePeople() {
  return useQuery({
    queryKey: peopleKey,
    queryFn: () => operate<{ rows: OperatorPerson[] }>('GET', '/operators'),
  })
}
