/** Ends a live call. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request, sentenceOf } from '../../api.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Icon } from '../icon.tsx'
import { toastError } from '../toasts.tsx'

export function HangUp({ id, compact }: { id: string; compact?: boolean }) {
  const words = useWords(commonWords)
  const cache = useQueryClient()
  const hangUp = useMutation({
    mutationFn: () => request('POST', '/calls/{id}/hangup', { path: { id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['call', id] }),
    onError: (error) => toastError(sentenceOf(error)),
  })
  return (
    <button
      type="button"
      className={compact ? 'button danger small' : 'button danger'}
      disabled={hangUp.isPending}
      onClick={() => hangUp.mutate()}
    >
      <Icon name="hangup" />
      {words.hangUp}
    </button>
  )
}
