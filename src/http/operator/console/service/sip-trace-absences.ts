/** Why a call has no SIP messages (D660), in the words of the refusal. */
import type { Translated } from '../../../../kit/text/language.ts'

export type Sentence = Translated<string>

export const absences = {
  off: {
    en: 'The service collects no SIP messages: SIP_TRACE_DAYS is 0.',
    pt: 'O serviço não guarda mensagens SIP: SIP_TRACE_DAYS é 0.',
  },
  noCall: {
    en: 'There are no SIP messages: no call has this id.',
    pt: 'Não há mensagens SIP: nenhuma chamada tem este id.',
  },
  live: {
    en: 'This call is not over. Its SIP messages are stored some seconds after its end.',
    pt: 'Esta chamada não terminou. As mensagens SIP dela são gravadas alguns segundos depois do fim.',
  },
  swept: (days: number): Sentence => ({
    en: `The SIP messages of this call have been removed: SIP_TRACE_DAYS is ${days}.`,
    pt: `As mensagens SIP desta chamada já foram apagadas: SIP_TRACE_DAYS é ${days}.`,
  }),
  none: {
    en: 'This call has no SIP messages: it has just ended, it ended before the first one, or its node stopped or had no room.',
    pt: 'Esta chamada não tem mensagens SIP: ela acabou de terminar, terminou antes da primeira, ou o nó dela parou ou não tinha espaço.',
  },
} as const
