/** D611: why a call failed, in one sentence that says what to do. */
import type { Translated } from '../words/translated.ts'
import type { EndReason } from './moves/end-reason.ts'

const pt: Record<EndReason, string> = {
  UNALLOCATED_NUMBER: 'O número não existe: confira os dígitos.',
  NO_ROUTE_DESTINATION: 'Não há linha para este destino. Avise o administrador.',
  USER_BUSY: 'Ocupado: a pessoa está em outra chamada.',
  NO_USER_RESPONSE: 'O telefone não respondeu.',
  NO_ANSWER: 'Ninguém atendeu.',
  SUBSCRIBER_ABSENT: 'O telefone está desligado ou fora de área.',
  CALL_REJECTED: 'A chamada foi recusada.',
  NUMBER_CHANGED: 'O número mudou.',
  DESTINATION_OUT_OF_ORDER: 'O destino está fora de serviço. Tente mais tarde.',
  INVALID_NUMBER_FORMAT: 'Este número não é válido: digite DDD e número, ou um ramal.',
  NORMAL_CIRCUIT_CONGESTION: 'Todas as linhas estão ocupadas. Tente de novo em instantes.',
  NETWORK_OUT_OF_ORDER: 'A operadora não respondeu. Tente de novo em instantes.',
  NORMAL_TEMPORARY_FAILURE: 'A chamada não pôde ser feita agora. Tente de novo em instantes.',
  OUTGOING_CALL_BARRED: 'Este destino está bloqueado. Peça a liberação ao administrador.',
  INCOMPATIBLE_DESTINATION: 'O outro telefone não aceita este tipo de chamada.',
  RECOVERY_ON_TIMER_EXPIRE: 'A chamada caiu: o outro lado deixou de responder.',
  ALLOTTED_TIMEOUT: 'A chamada terminou: o crédito ou o tempo máximo acabou.',
  MEDIA_TIMEOUT: 'A chamada caiu: não chegava som.',
  USER_NOT_REGISTERED: 'O telefone deste ramal está fora do ar.',
  NO_CREDIT: 'O saldo da conta não cobre esta chamada.',
  DAILY_LIMIT: 'A conta chegou ao limite de chamadas ou de gastos do dia.',
  EMERGENCY_NUMBER: 'Números de emergência não podem ser chamados daqui: use um celular.',
  OWN_EXTENSION: 'Este é o seu próprio ramal.',
  NO_CONNECTION: 'O servidor não respondeu. Verifique sua conexão e tente de novo.',
}

const en: typeof pt = {
  UNALLOCATED_NUMBER: 'The number does not exist: check its digits.',
  NO_ROUTE_DESTINATION: 'There is no line to this destination. Tell your administrator.',
  USER_BUSY: 'Busy: they are in another call.',
  NO_USER_RESPONSE: 'The phone did not respond.',
  NO_ANSWER: 'Nobody answered.',
  SUBSCRIBER_ABSENT: 'The phone is switched off or out of reach.',
  CALL_REJECTED: 'The call was declined.',
  NUMBER_CHANGED: 'The number has changed.',
  DESTINATION_OUT_OF_ORDER: 'The destination is out of service. Try later.',
  INVALID_NUMBER_FORMAT: 'This number is not valid: type area code and number, or an extension.',
  NORMAL_CIRCUIT_CONGESTION: 'All lines are busy. Try again in a moment.',
  NETWORK_OUT_OF_ORDER: 'The carrier did not respond. Try again in a moment.',
  NORMAL_TEMPORARY_FAILURE: 'The call could not be placed now. Try again in a moment.',
  OUTGOING_CALL_BARRED: 'This destination is barred. Ask your administrator to allow it.',
  INCOMPATIBLE_DESTINATION: 'The other phone does not take this kind of call.',
  RECOVERY_ON_TIMER_EXPIRE: 'The call broke off: the other side stopped responding.',
  ALLOTTED_TIMEOUT: 'The call ended: the credit or the longest time was used up.',
  MEDIA_TIMEOUT: 'The call broke off: no sound arrived.',
  USER_NOT_REGISTERED: 'The phone of this extension is offline.',
  NO_CREDIT: 'The credit of the account does not cover this call.',
  DAILY_LIMIT: 'The account has reached its limit of calls or spending for the day.',
  EMERGENCY_NUMBER: 'Emergency numbers cannot be called from here: use a mobile phone.',
  OWN_EXTENSION: 'This is your own extension.',
  NO_CONNECTION: 'The server did not answer. Check your connection and try again.',
}

export const reasonWords: Translated<typeof pt> = { pt, en }
