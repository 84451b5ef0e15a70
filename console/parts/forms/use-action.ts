/** A request that changes something: afterwards the lists are read again, and a short message says what happened. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../api.ts'
import { toast, toastError } from '../toasts.tsx'

type Options<Given, Answer> = {
  run: (given: Given) => Promise<Answer>
  /** Lists that show other data now. */
  refresh: QueryKey[]
  done?: string | ((answer: Answer) => string)
  onDone?: (answer: Answer) => void
}

export function useAction<Given = void, Answer = unknown>(options: Options<Given, Answer>) {
  const { run, refresh, done, onDone } = options
  const cache = useQueryClient()
  return useMutation<Answer, unknown, Given>({
    mutationFn: run,
    async onSuccess(answer) {
      await Promise.all(refresh.map((queryKey) => cache.invalidateQueries({ queryKey })))
      if (done !== undefined) toast(typeof done === 'string' ? done : done(answer))
      onDone?.(answer)
    },
    onError: (error) => toastError(sentenceOf(error)),
  })
}
