/** What states, kinds and ends of calls are called. */
import type { Cause } from '../../src/contract/calls/causes.ts'
import type { CallRecord } from '../api-types.ts'
import type { Translated } from './translated.ts'

type CallWords = {
  status: Record<CallRecord['status'], string>
  type: Record<CallRecord['call_type'], string>
  causes: Record<Cause, string>
}

export const callWords: Translated<CallWords> = {
  pt: {
    status: {
      queued: 'Na fila',
      ringing: 'Chamando',
      answered: 'Em conversa',
      completed: 'Atendida',
      busy: 'Ocupado',
      no_answer: 'Não atendida',
      failed: 'Falhou',
      cancelled: 'Cancelada',
    },
    type: { outbound: 'Saída', inbound: 'Entrada', internal: 'Interna' },
    causes: {
      UNALLOCATED_NUMBER: 'Número não existe',
      NO_ROUTE_DESTINATION: 'Sem rota para o destino',
      NORMAL_CLEARING: 'Encerrada normalmente',
      USER_BUSY: 'Ocupado',
      NO_USER_RESPONSE: 'Sem resposta',
      NO_ANSWER: 'Não atendeu',
      SUBSCRIBER_ABSENT: 'Telefone desligado',
      CALL_REJECTED: 'Recusada',
      NUMBER_CHANGED: 'Número mudou',
      DESTINATION_OUT_OF_ORDER: 'Destino fora de serviço',
      INVALID_NUMBER_FORMAT: 'Número inválido',
      NORMAL_UNSPECIFIED: 'Encerrada',
      NORMAL_CIRCUIT_CONGESTION: 'Rede congestionada',
      NETWORK_OUT_OF_ORDER: 'Falha da rede',
      NORMAL_TEMPORARY_FAILURE: 'Falha temporária',
      OUTGOING_CALL_BARRED: 'Destino bloqueado',
      INCOMPATIBLE_DESTINATION: 'Destino incompatível',
      RECOVERY_ON_TIMER_EXPIRE: 'Tempo esgotado',
      ORIGINATOR_CANCEL: 'Desistência',
      ALLOTTED_TIMEOUT: 'Tempo ou crédito esgotado',
      MEDIA_TIMEOUT: 'Sem áudio',
      USER_NOT_REGISTERED: 'Telefone do ramal fora do ar',
    },
  },
  en: {
    status: {
      queued: 'Queued',
      ringing: 'Ringing',
      answered: 'Talking',
      completed: 'Answered',
      busy: 'Busy',
      no_answer: 'Not answered',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    type: { outbound: 'Outbound', inbound: 'Inbound', internal: 'Internal' },
    causes: {
      UNALLOCATED_NUMBER: 'Number does not exist',
      NO_ROUTE_DESTINATION: 'No route to the destination',
      NORMAL_CLEARING: 'Ended normally',
      USER_BUSY: 'Busy',
      NO_USER_RESPONSE: 'No response',
      NO_ANSWER: 'No answer',
      SUBSCRIBER_ABSENT: 'Phone switched off',
      CALL_REJECTED: 'Rejected',
      NUMBER_CHANGED: 'Number changed',
      DESTINATION_OUT_OF_ORDER: 'Destination out of order',
      INVALID_NUMBER_FORMAT: 'Invalid number',
      NORMAL_UNSPECIFIED: 'Ended',
      NORMAL_CIRCUIT_CONGESTION: 'Network congested',
      NETWORK_OUT_OF_ORDER: 'Network failure',
      NORMAL_TEMPORARY_FAILURE: 'Temporary failure',
      OUTGOING_CALL_BARRED: 'Destination barred',
      INCOMPATIBLE_DESTINATION: 'Incompatible destination',
      RECOVERY_ON_TIMER_EXPIRE: 'Timed out',
      ORIGINATOR_CANCEL: 'Given up by the caller',
      ALLOTTED_TIMEOUT: 'Out of time or credit',
      MEDIA_TIMEOUT: 'No audio',
      USER_NOT_REGISTERED: 'Phone of the extension is offline',
    },
  },
}
