/** D615: names and values of the record of a call as people read them, for files that spreadsheets open. */
import type { Translated } from '../../kit/text/language.ts'
import type { shownStatuses } from './call-record.ts'
import type { CallSide, CallType } from './calls.ts'
import type { Cause } from './causes.ts'

export const statusWords: Record<(typeof shownStatuses)[number], Translated<string>> = {
  queued: { pt: 'Na fila', en: 'Queued' },
  ringing: { pt: 'Chamando', en: 'Ringing' },
  answered: { pt: 'Em conversa', en: 'Talking' },
  completed: { pt: 'Atendida', en: 'Answered' },
  busy: { pt: 'Ocupado', en: 'Busy' },
  no_answer: { pt: 'Não atendida', en: 'Not answered' },
  failed: { pt: 'Falhou', en: 'Failed' },
  cancelled: { pt: 'Cancelada', en: 'Cancelled' },
}

export const typeWords: Record<CallType, Translated<string>> = {
  outbound: { pt: 'Saída', en: 'Outbound' },
  inbound: { pt: 'Entrada', en: 'Inbound' },
  internal: { pt: 'Interna', en: 'Internal' },
}

export const sideWords: Record<CallSide, Translated<string>> = {
  extension: { pt: 'Ramal', en: 'Extension' },
  destination: { pt: 'Outro lado', en: 'Other side' },
  service: { pt: 'Serviço', en: 'Service' },
}

export const causeWords: Record<Cause, Translated<string>> = {
  UNALLOCATED_NUMBER: { pt: 'Número não existe', en: 'Number does not exist' },
  NO_ROUTE_DESTINATION: { pt: 'Sem rota para o destino', en: 'No route to the destination' },
  NORMAL_CLEARING: { pt: 'Encerrada normalmente', en: 'Ended normally' },
  USER_BUSY: { pt: 'Ocupado', en: 'Busy' },
  NO_USER_RESPONSE: { pt: 'Sem resposta', en: 'No response' },
  NO_ANSWER: { pt: 'Não atendeu', en: 'No answer' },
  SUBSCRIBER_ABSENT: { pt: 'Telefone desligado', en: 'Phone switched off' },
  CALL_REJECTED: { pt: 'Recusada', en: 'Rejected' },
  NUMBER_CHANGED: { pt: 'Número mudou', en: 'Number changed' },
  DESTINATION_OUT_OF_ORDER: { pt: 'Destino fora de serviço', en: 'Destination out of order' },
  INVALID_NUMBER_FORMAT: { pt: 'Número inválido', en: 'Invalid number' },
  NORMAL_UNSPECIFIED: { pt: 'Encerrada', en: 'Ended' },
  NORMAL_CIRCUIT_CONGESTION: { pt: 'Rede congestionada', en: 'Network congested' },
  NETWORK_OUT_OF_ORDER: { pt: 'Falha da rede', en: 'Network failure' },
  NORMAL_TEMPORARY_FAILURE: { pt: 'Falha temporária', en: 'Temporary failure' },
  OUTGOING_CALL_BARRED: { pt: 'Destino bloqueado', en: 'Destination barred' },
  INCOMPATIBLE_DESTINATION: { pt: 'Destino incompatível', en: 'Incompatible destination' },
  RECOVERY_ON_TIMER_EXPIRE: { pt: 'Tempo esgotado', en: 'Timed out' },
  ORIGINATOR_CANCEL: { pt: 'Desistência', en: 'Given up by the caller' },
  ALLOTTED_TIMEOUT: { pt: 'Tempo ou crédito esgotado', en: 'Out of time or credit' },
  MEDIA_TIMEOUT: { pt: 'Sem áudio', en: 'No audio' },
  USER_NOT_REGISTERED: { pt: 'Telefone do ramal fora do ar', en: 'Phone of the extension is offline' },
}
