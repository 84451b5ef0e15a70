/** Words of the SIP messages of a call. */
import type { OperatorSipMessage } from '../../../src/contract/operator-sip-trace.ts'
import type { Translated } from '../../words/translated.ts'

type Roles = Record<OperatorSipMessage['party'], string>

const pt = {
  title: 'Mensagens SIP',
  back: 'Chamadas ao vivo',
  call: 'Chamada',
  download: 'Baixar captura (pcap)',
  empty: 'Nenhuma mensagem SIP',
  roles: { extension: 'Telefone', carrier: 'Tronco', node: 'Ramal' } as Roles,
  participants: 'Participantes',
  exchanged: (from: string, to: string) => `de ${from} para ${to}`,
  retransmission: 'retransmissão',
  summary: (messages: string, time: string) => `Mensagens: ${messages}, em ${time}.`,
  keys: 'Clique em uma mensagem, ou use as setas e Enter, para ler o texto dela.',
  leftOut: (messages: string) => `Mensagens que não foram guardadas, por falta de espaço: ${messages}.`,
  sender: 'De',
  receiver: 'Para',
  transport: 'Transporte',
  node: 'Nó',
}

const en: typeof pt = {
  title: 'SIP messages',
  back: 'Live calls',
  call: 'Call',
  download: 'Download capture (pcap)',
  empty: 'No SIP messages',
  roles: { extension: 'Phone', carrier: 'Trunk', node: 'Ramal' },
  participants: 'Participants',
  exchanged: (from, to) => `from ${from} to ${to}`,
  retransmission: 'retransmission',
  summary: (messages, time) => `Messages: ${messages}, within ${time}.`,
  keys: 'Click a message, or use the arrow keys and Enter, to read its text.',
  leftOut: (messages) => `Messages that were not kept, for lack of room: ${messages}.`,
  sender: 'From',
  receiver: 'To',
  transport: 'Transport',
  node: 'Node',
}

export const sipWords: Translated<typeof pt> = { pt, en }
