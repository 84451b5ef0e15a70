/** Causes of the end of a call as a table (D2). */
import { type Cause, causes } from '../../../contract/calls/causes.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'

const meanings: Record<Cause, Translated<string>> = {
  UNALLOCATED_NUMBER: {
    pt: 'o número não existe; confira o cadastro',
    en: 'the number does not exist; check your records',
  },
  NO_ROUTE_DESTINATION: {
    pt: 'nenhuma operadora leva até este destino',
    en: 'no carrier reaches this destination',
  },
  NORMAL_CLEARING: {
    pt: 'alguém desligou: o fim normal de uma conversa',
    en: 'somebody hung up: the usual end of a conversation',
  },
  USER_BUSY: {
    pt: 'ocupado; `ended_by` diz se foi o telefone do ramal ou o destino',
    en: 'busy; `ended_by` says whether the phone of the extension or the destination',
  },
  NO_USER_RESPONSE: {
    pt: 'o telefone não deu sinal de que está tocando',
    en: 'the phone gave no sign of ringing',
  },
  NO_ANSWER: { pt: 'tocou e ninguém atendeu', en: 'it rang and nobody answered' },
  SUBSCRIBER_ABSENT: {
    pt: 'o telefone está desligado, fora de área ou não responde',
    en: 'the phone is switched off, out of coverage or does not respond',
  },
  CALL_REJECTED: {
    pt: 'recusada: por quem recebeu, pela operadora ou por um bloqueio',
    en: 'rejected: by the person called, by the carrier or by a block',
  },
  NUMBER_CHANGED: { pt: 'o número mudou', en: 'the number has changed' },
  DESTINATION_OUT_OF_ORDER: {
    pt: 'o aparelho ou a linha do destino está com defeito',
    en: 'the device or line of the destination does not work',
  },
  INVALID_NUMBER_FORMAT: {
    pt: 'a operadora não aceita o número assim: incompleto ou com dígitos a mais',
    en: 'the carrier does not take the number as it is: incomplete, or with too many digits',
  },
  NORMAL_UNSPECIFIED: {
    pt: 'terminou, e a outra parte não disse por quê',
    en: 'it ended, and the other party did not say why',
  },
  NORMAL_CIRCUIT_CONGESTION: {
    pt: 'a operadora está sem linha livre; tente de novo mais tarde',
    en: 'the carrier has no free line; try again later',
  },
  NETWORK_OUT_OF_ORDER: {
    pt: 'a operadora não respondeu',
    en: 'the carrier did not respond',
  },
  NORMAL_TEMPORARY_FAILURE: {
    pt: 'falha passageira; tente de novo',
    en: 'a temporary failure; try again',
  },
  OUTGOING_CALL_BARRED: {
    pt: 'a operadora ou o serviço não permite este destino',
    en: 'the carrier or the service does not allow this destination',
  },
  INCOMPATIBLE_DESTINATION: {
    pt: 'os dois lados não têm um codec em comum',
    en: 'the two sides have no codec in common',
  },
  RECOVERY_ON_TIMER_EXPIRE: {
    pt: 'a máquina da chamada parou ou uma das partes sumiu da rede; cobrada até o último sinal de vida',
    en: 'the machine of the call stopped or a party left the network; charged up to its last sign of life',
  },
  ORIGINATOR_CANCEL: {
    pt: 'quem ligou desistiu antes de ser atendido',
    en: 'the caller gave up before anybody answered',
  },
  ALLOTTED_TIMEOUT: {
    pt: 'acabou o crédito, ou o tempo máximo de uma chamada',
    en: 'the credit ran out, or the longest time of a call',
  },
  MEDIA_TIMEOUT: {
    pt: 'não chegou áudio: de nenhum dos lados, ou do telefone que acabou de atender',
    en: 'no sound came: from neither side, or from the phone that has just answered',
  },
  USER_NOT_REGISTERED: {
    pt: 'nenhum telefone está registrado no ramal',
    en: 'no phone is registered to the extension',
  },
}

const heads: Translated<string> = {
  pt: '| `hangup_cause` | `hangupCauseCode` | O que houve |',
  en: '| `hangup_cause` | `hangupCauseCode` | What happened |',
}

export function causesPart(language: Language): string {
  const rows = Object.entries(causes).map(
    ([cause, code]) => `| \`${cause}\` | ${code} | ${meanings[cause as Cause][language]} |`,
  )
  return [heads[language], '|---|---|---|', ...rows].join('\n')
}
