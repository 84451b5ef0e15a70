/** D615: the columns of calls in a spreadsheet, named as the console names them. */
import type { Outcome } from '../../../contract/calls/call-results.ts'
import { causeWords, sideWords, statusWords, typeWords } from '../../../contract/calls/call-words.ts'
import type { SheetColumn } from '../../spreadsheet.ts'

/** With the labels that the account gave its outcomes. */
export function callSheet(outcomes: readonly Outcome[]): Record<string, SheetColumn> {
  const words = Object.fromEntries(outcomes.map(({ key, label }) => [key, { pt: label, en: label }]))
  return { ...columns, outcome: { name: { pt: 'Resultado', en: 'Outcome' }, words } }
}

const columns: Record<string, SheetColumn> = {
  id: { name: { pt: 'Identificador', en: 'Identifier' } },
  domain: { name: { pt: 'Domínio', en: 'Domain' } },
  call_type: { name: { pt: 'Tipo', en: 'Type' }, words: typeWords },
  status: { name: { pt: 'Situação', en: 'Status' }, words: statusWords },
  started_at: { name: { pt: 'Início', en: 'Start' }, kind: 'instant' },
  answered_at: { name: { pt: 'Atendimento', en: 'Answered' }, kind: 'instant' },
  ended_at: { name: { pt: 'Fim', en: 'End' }, kind: 'instant' },
  from: { name: { pt: 'De', en: 'From' }, kind: 'phone' },
  to: { name: { pt: 'Para', en: 'To' }, kind: 'phone' },
  duration: { name: { pt: 'Duração', en: 'Length' }, kind: 'seconds' },
  hangup_cause: { name: { pt: 'Motivo do fim', en: 'End reason' }, words: causeWords },
  record_url: { name: { pt: 'Gravação', en: 'Recording' } },
  email: { name: { pt: 'E-mail', en: 'E-mail' } },
  first_name: { name: { pt: 'Nome', en: 'First name' } },
  last_name: { name: { pt: 'Sobrenome', en: 'Last name' } },
  BINA: { name: { pt: 'BINA', en: 'Caller ID' }, kind: 'phone' },
  user_uuid: { name: { pt: 'Usuário', en: 'User' } },
  extension_user_uuid: { name: { pt: 'Dono do ramal', en: 'Owner of the extension' } },
  minute_price: { name: { pt: 'Preço por minuto', en: 'Price a minute' } },
  call_price: { name: { pt: 'Preço', en: 'Price' } },
  recording_lost: { name: { pt: 'Gravação perdida', en: 'Recording lost' } },
  tags: { name: { pt: 'Etiquetas', en: 'Tags' } },
  notes: { name: { pt: 'Anotações', en: 'Notes' } },
  metadata: { name: { pt: 'Metadados', en: 'Metadata' } },
  ended_by: { name: { pt: 'Encerrada por', en: 'Ended by' }, words: sideWords },
}
