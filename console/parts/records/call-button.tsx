/** One click calls a number from the person's own extension: their phone rings first. */
import { useMutation } from '@tanstack/react-query'
import { request, sentenceOf } from '../../api.ts'
import { dialHere } from '../../dial.ts'
import { useOwnExtension } from '../../own-extension.ts'
import { commonWords } from '../../words/common.ts'
import { type Translated, useWords } from '../../words/language.ts'
import { Icon } from '../icon.tsx'
import { dialable, telephone } from '../telephone.ts'
import { toast, toastError } from '../toasts.tsx'

const own: Translated<{ calling: (number: string) => string; noExtension: string }> = {
  pt: {
    calling: (number) => `Chamando ${number}: seu telefone toca primeiro.`,
    noExtension: 'Você ainda não tem um ramal.',
  },
  en: {
    calling: (number) => `Calling ${number}: your phone rings first.`,
    noExtension: 'You have no extension yet.',
  },
}

export function useCall() {
  const extension = useOwnExtension()
  const words = useWords(own)
  const call = useMutation({
    mutationFn: (number: string) => {
      if (!extension) throw new Error(words.noExtension)
      return request('POST', '/calls', { body: { extension: extension.ramal, called: dialable(number) } })
    },
    onError: (error) => toastError(sentenceOf(error)),
  })
  return {
    canCall: extension !== undefined,
    isBusy: call.isPending,
    place: (number: string) => {
      if (dialHere(dialable(number))) return
      toast(words.calling(telephone(number)))
      call.mutate(number)
    },
  }
}

type Props = {
  number: string
  compact?: boolean
  /** In place of the usual one. */
  label?: string
}

export function CallButton({ number, compact, label }: Props) {
  const words = useWords(commonWords)
  const { canCall, isBusy, place } = useCall()
  if (!canCall) return null
  const name = words.callNumber(telephone(number))
  const shown = label ?? words.call
  return (
    <button
      type="button"
      className={compact ? 'button plain icon-only small' : 'button primary'}
      disabled={isBusy}
      aria-label={label === undefined ? name : `${label}: ${telephone(number)}`}
      onClick={() => place(number)}
    >
      <Icon name="calls" />
      {compact ? <span className="word">{shown}</span> : shown}
    </button>
  )
}
