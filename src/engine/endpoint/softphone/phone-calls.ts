/** The calls of a softphone, one at a time. */
import type { Timer } from '../../../kit/timers.ts'
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import { firstValue } from '../../../sip/message/message.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import type { InviteOptions } from '../../../sip/user-agent/outgoing-invite.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { type IncomingCall, receiveCall } from '../call/incoming-call.ts'
import { placeCall } from '../call/outgoing-call.ts'
import type { SoftphoneSettings } from './softphone-settings.ts'

type Deps = {
  settings: SoftphoneSettings
  userAgent: UserAgent
  host: string
  /** The server, our address there, and the credentials. */
  account: Pick<InviteOptions, 'target' | 'from' | 'login'>
}

export function createPhoneCalls({ settings, userAgent, host, account }: Deps) {
  const { domain, server, timers, log, onEvent } = settings
  let current: { call: EndpointCall; ringing: IncomingCall | undefined } | undefined
  let placing = false
  let timer: Timer | undefined

  const audioOptions = () => ({
    play: settings.play(),
    record: settings.record,
    onDigit: (digit: string) => onEvent({ type: 'digit', digit }),
  })

  function setCurrent(call: EndpointCall, ringing?: IncomingCall) {
    current = { call, ringing }
    void call.ended.then((end) => {
      current = undefined
      timer?.cancel()
      onEvent({ type: 'ended', ...end })
    })
  }

  function runAfter(seconds: number, run: () => void) {
    timer?.cancel()
    timer = timers.after(1000 * seconds, run)
  }

  function onAnswered() {
    if (current) current.ringing = undefined
    const { hangUpAfterSeconds } = settings
    if (hangUpAfterSeconds !== undefined) runAfter(hangUpAfterSeconds, hangUp)
    onEvent({ type: 'answered' })
  }

  function receive(leg: IncomingLeg) {
    // Calls come through our server; any other source is a scanner.
    if (leg.flow.remote.address !== server.address) return leg.refuse(403)
    if (current || placing || settings.answer === 'busy') return leg.refuse(486)
    const incoming = receiveCall(leg, { host, timers, log }, audioOptions())
    setCurrent(incoming, incoming)
    onEvent({ type: 'incoming', ...describe(leg) })
    if (settings.answer === 'refuse') return incoming.refuse(603)
    incoming.ring()
    if (settings.answer === 'auto') runAfter(settings.answerAfterSeconds ?? 0, () => void answer())
  }

  async function answer(): Promise<boolean> {
    const ringing = current?.ringing
    if (!ringing) return false
    const isAnswered = await ringing.answer().catch((error: unknown) => {
      log.error({ err: error }, 'the call could not be answered')
      ringing.refuse(500)
      return false
    })
    if (isAnswered) onAnswered()
    return isAnswered
  }

  function refuse(status = 603): boolean {
    const ringing = current?.ringing
    ringing?.refuse(status)
    return ringing !== undefined
  }

  function hangUp(): boolean {
    current?.call.hangUp()
    return current !== undefined
  }

  async function dial(number: string): Promise<boolean> {
    if (current || placing) return false
    placing = true
    try {
      const uri = sipUri({ user: number, host: domain })
      const calling = { ...account, uri, to: { name: undefined, uri, params: noParams } }
      const listeners = {
        onProgress: (status: number) => onEvent({ type: 'progress', status }),
        onAnswered,
      }
      setCurrent(
        await placeCall({ userAgent, host, timers, log }, calling, { ...audioOptions(), ...listeners }),
      )
      return true
    } finally {
      placing = false
    }
  }

  return {
    receive,
    answer,
    refuse,
    hangUp,
    dial,
    press: (digits: string) => current?.call.press(digits),
    heard: () => current?.call.heard(),
    async stop() {
      hangUp()
      await current?.call.ended
    },
  }
}

function describe(leg: IncomingLeg) {
  const { uri, name } = leg.remote
  const callId = firstValue(leg.request, 'X-Call-Id')
  return {
    number: uri.scheme === 'tel' ? uri.number : uri.scheme === 'other' ? '' : (uri.user ?? ''),
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
  }
}
