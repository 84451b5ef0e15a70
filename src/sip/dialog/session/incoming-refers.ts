/** REFER within a dialog (RFC 3515): the peer wants its other side connected elsewhere. NOTIFY reports how far that is. */
import { parseAddress } from '../../headers/address.ts'
import { cseq } from '../../headers/numbers.ts'
import { replacedCallId } from '../../headers/replaces.ts'
import { firstValue, listValues, type SipRequest } from '../../message/message.ts'
import { reasonPhrase } from '../../message/reason-phrases.ts'
import { SipRefusal } from '../../refusal.ts'
import type { IncomingRequest } from '../../transaction/transactions.ts'
import type { Uri } from '../../uri/uri.ts'
import type { Dialog } from '../dialog.ts'
import type { LegListener, Refer } from '../leg.ts'
import { contactHeader, reply, type UserAgentCore } from '../user-agent-core.ts'

type Deps = { core: UserAgentCore; dialog: Dialog; listener: Pick<LegListener, 'onRefer'> }

/** How long the peer may wait for a NOTIFY, in seconds. */
const subscriptionSeconds = 180

export function createIncomingRefers({ core, dialog, listener }: Deps) {
  let isClosed = false
  let count = 0

  async function receive(incoming: IncomingRequest) {
    const { request } = incoming
    const target = readTarget(request)
    if (!target) return reply(core, incoming, { status: 400, reason: 'Malformed Refer-To' })
    if (!listener.onRefer) return reply(core, incoming, { status: 603 })
    // RFC 3515, 2.4.6: the first subscription of a dialog needs no id.
    const event = count === 0 ? 'refer' : `refer;id=${cseq(request).number}`
    count += 1
    // RFC 4488: the peer wants no NOTIFY.
    const isSilent = firstValue(request, 'Refer-Sub')?.toLowerCase().startsWith('false') ?? false
    const early: number[] = []
    let isAccepted = false
    let isOver = false
    const notify = (status: number) => {
      if (isOver || isClosed || isSilent) return
      isOver = status >= 200
      sendNotify(event, status)
    }
    const progress = (status: number) => void (isAccepted ? notify(status) : early.push(status))
    let status = 500
    try {
      status = await listener.onRefer({ ...target, progress })
    } catch (err) {
      core.log.error({ err }, 'a REFER could not be handled')
    }
    const headers = isSilent ? ([['Refer-Sub', 'false']] as const) : []
    reply(core, incoming, { status, headers: [...headers, contactHeader(core, dialog.remoteFlow())] })
    if (status !== 202) return
    isAccepted = true
    for (const one of [100, ...early]) notify(one)
  }

  function sendNotify(event: string, status: number) {
    const state = status < 200 ? `active;expires=${subscriptionSeconds}` : 'terminated;reason=noresource'
    dialog.send(
      'NOTIFY',
      {
        headers: [
          contactHeader(core, dialog.remoteFlow()),
          ['Event', event],
          ['Subscription-State', state],
          ['Content-Type', 'message/sipfrag;version=2.0'],
        ],
        body: `SIP/2.0 ${status} ${reasonPhrase(status)}\r\n`,
      },
      { onFinal() {}, onFailed() {} },
    )
  }

  return {
    receive,
    close() {
      isClosed = true
    },
  }
}

function readTarget(request: SipRequest): Pick<Refer, 'to' | 'replaces'> | undefined {
  try {
    const [value, ...others] = listValues(request, 'Refer-To')
    if (value === undefined || others.length > 0) return undefined
    const { uri } = parseAddress(value)
    return { to: uri, replaces: replacesOf(uri) }
  } catch (error) {
    if (error instanceof SipRefusal) return undefined
    throw error
  }
}

/** The tags are those of the REFER's sender as the peer sees them. */
function replacesOf(uri: Uri): Refer['replaces'] {
  if (uri.scheme !== 'sip' && uri.scheme !== 'sips') return undefined
  const header = uri.headers.find(([name]) => name.toLowerCase() === 'replaces')
  return header && replacedCallId(header[1])
}
