/** The SIP messages of a call as a ladder: its participants from left to right, and an arrow for each message. Pure. */
import type { OperatorSipMessage } from '../../../src/contract/operator-sip-trace.ts'

export type Participant = {
  role: OperatorSipMessage['party']
  address: string
  /** The process, if the participant is one whose messages are here. */
  node?: string
}

export type Step = {
  message: OperatorSipMessage
  /** Places in the list of participants. */
  from: number
  to: number
  /** A response has the method of its request. */
  method: string
  /** Undefined of a request. */
  response: { status: number; reason: string } | undefined
  hasSdp: boolean
  isRetransmission: boolean
}

export type Ladder = { participants: Participant[]; steps: Step[] }

export function buildLadder(messages: readonly OperatorSipMessage[]): Ladder {
  const placed = placeParticipants(messages)
  const seen = new Set<string>()
  const steps = withoutCopies(messages, placed.ends).map((message): Step => {
    const { from, to } = placed.ends(message)
    const key = `${from} ${to} ${transactionOf(message)}`
    const isRetransmission = seen.has(key)
    seen.add(key)
    return { message, from, to, ...startLineOf(message), hasSdp: hasSdp(message), isRetransmission }
  })
  return { participants: placed.participants, steps }
}

type Ends = (message: OperatorSipMessage) => { from: number; to: number }

/** The phone of the extension, the processes of the service, the other side. */
function placeParticipants(messages: readonly OperatorSipMessage[]) {
  const nodeAt = new Map(messages.map(({ local, node }) => [local, node]))
  const nodes = [...new Set(messages.map(({ node }) => node))]

  /** The process at the other end; undefined if none of its messages are here. */
  function otherNode({ remote, node }: OperatorSipMessage): string | undefined {
    const found = nodeAt.get(remote)
    if (found !== undefined && found !== node) return found
    return nodes.length === 2 ? nodes.find((one) => one !== node) : undefined
  }

  const ownKey = (node: string) => `node ${node}`
  function remoteKey(message: OperatorSipMessage): string {
    const other = message.party === 'node' ? otherNode(message) : undefined
    return other === undefined ? `${message.party} ${message.side} ${message.remote}` : ownKey(other)
  }

  const found = new Map<string, Participant & { order: number }>()
  for (const node of nodes) {
    const own = messages.filter((message) => message.node === node)
    const sides = own
      .filter(({ party }) => party !== 'node')
      .map(({ side }) => (side === 'extension' ? 1 : 3))
    const order = sides.length === 0 ? 2 : sides.reduce((sum: number, side) => sum + side, 0) / sides.length
    found.set(ownKey(node), { role: 'node', address: own[0]?.local ?? '', node, order })
  }
  for (const message of messages) {
    const key = remoteKey(message)
    const order = message.side === 'extension' ? 0 : 4
    if (!found.has(key)) found.set(key, { role: message.party, address: message.remote, order })
  }
  const sorted = [...found].sort(([, one], [, other]) => one.order - other.order)
  const places = new Map(sorted.map(([key], place) => [key, place]))

  const ends: Ends = (message) => {
    const own = places.get(ownKey(message.node)) ?? 0
    const remote = places.get(remoteKey(message)) ?? 0
    return message.direction === 'sent' ? { from: own, to: remote } : { from: remote, to: own }
  }
  return { participants: sorted.map(([, { order: _, ...participant }]) => participant), ends }
}

/** Without those that one process received of another, whose own record of it is here too. */
function withoutCopies(messages: readonly OperatorSipMessage[], ends: Ends): OperatorSipMessage[] {
  const sent = new Map<string, number>()
  const keyOf = (message: OperatorSipMessage) => {
    const { from, to } = ends(message)
    return `${from} ${to} ${transactionOf(message)}`
  }
  for (const message of messages) {
    if (message.party === 'node' && message.direction === 'sent') count(sent, keyOf(message), 1)
  }
  return messages.filter((message) => {
    if (message.party !== 'node' || message.direction === 'sent') return true
    const key = keyOf(message)
    if ((sent.get(key) ?? 0) === 0) return true
    count(sent, key, -1)
    return false
  })
}

function count(counts: Map<string, number>, key: string, change: number) {
  counts.set(key, (counts.get(key) ?? 0) + change)
}

/** Equal in a message and its retransmission (RFC 3261, 17.1.3 and 17.2.3), and in no other. */
function transactionOf({ text, firstLine }: OperatorSipMessage): string {
  const branch = /;\s*branch=([^\s;,]+)/i.exec(headerIn(text, 'Via', 'v'))?.[1] ?? ''
  return [firstLine, branch, headerIn(text, 'CSeq'), headerIn(text, 'Call-ID', 'i')].join('\n')
}

function startLineOf({ text, firstLine }: OperatorSipMessage): Pick<Step, 'method' | 'response'> {
  const [, status, reason = ''] = /^SIP\/2\.0 (\d{3}) ?(.*)$/i.exec(firstLine) ?? []
  if (status === undefined) return { method: firstLine.split(' ', 1)[0] ?? '', response: undefined }
  const method = headerIn(text, 'CSeq').split(/\s+/)[1] ?? ''
  return { method, response: { status: Number(status), reason } }
}

const hasSdp = ({ text }: OperatorSipMessage) =>
  /^(?:application\/sdp|multipart\/)/i.test(headerIn(text, 'Content-Type', 'c'))

/** The first value; names may be short (RFC 3261, 7.3.3). */
function headerIn(text: string, ...names: string[]): string {
  for (const line of text.split('\r\n').slice(1)) {
    if (line === '') break
    const [, name = '', value = ''] = /^([^\s:]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (names.some((one) => one.toLowerCase() === name.toLowerCase())) return value
  }
  return ''
}
