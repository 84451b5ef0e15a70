/** The one call a softphone has at a time, come or placed. */
import type { Timer } from '../../../kit/timers.ts'
import type { IncomingLeg, InviteOptions, UserAgent } from '../../sip/dialog/leg.ts'
import { firstValue } from '../../sip/message/message.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { type IncomingCall, receiveCall } from '../call/incoming-call.ts'
import { placeCall } from '../call/outgoing-call.ts'
import type { SoftphoneSettings } from './softphone-settings.ts'

type Deps = {
  settings: SoftphoneSettings
  userAgent: UserAgent
  host: string
  /** The way to our server, who we are there, and the proof. */
  home: Pick<InviteOptions, 'target' | 'from' | 'login'>
}

export function createPhoneCalls({ settings, userAgent, host, home }: Deps) {
  const { domain, server, timers, log, tell } = settings
  let call: { kept: EndpointCall; ringing: IncomingCall | undefined } | undefined
  let placing = false
  let timer: Timer | undefined

  const sound = () => ({
    play: settings.play(),
    record: settings.record,
    onDigit: (digit: string) => tell({ type: 'digit', digit }),
  })

  function keep(kept: EndpointCall, ringing?: IncomingCall) {
    call = { kept, ringing }
    void kept.ended.then((end) => {
      call = undefined
      timer?.cancel()
      tell({ type: 'ended', ...end })
    })
  }

  function wait(seconds: number, run: () => void) {
    timer?.cancel()
    timer = timers.after(1000 * seconds, run)
  }

  function answered() {
    if (call) call.ringing = undefined
    const { hangUpAfterSeconds } = settings
    if (hangUpAfterSeconds !== undefined) wait(hangUpAfterSeconds, hangUp)
    tell({ type: 'answered' })
  }

  function take(leg: IncomingLeg) {
    // The world calls by way of our server; whoever comes by himself is a scanner.
    if (leg.flow.remote.address !== server.address) return leg.refuse(403)
    if (call || placing || settings.answer === 'busy') return leg.refuse(486)
    const incoming = receiveCall(leg, { host, timers, log }, sound())
    keep(incoming, incoming)
    tell({ type: 'incoming', ...describe(leg) })
    if (settings.answer === 'refuse') return incoming.refuse(603)
    incoming.ring()
    if (settings.answer === 'auto') wait(settings.answerAfterSeconds ?? 0, () => void answer())
  }

  async function answer(): Promise<boolean> {
    const ringing = call?.ringing
    if (!ringing) return false
    const taken = await ringing.answer().catch((error: unknown) => {
      log.error({ err: error }, 'the call could not be answered')
      ringing.refuse(500)
      return false
    })
    if (taken) answered()
    return taken
  }

  function refuse(status = 603): boolean {
    const ringing = call?.ringing
    ringing?.refuse(status)
    return ringing !== undefined
  }

  function hangUp(): boolean {
    call?.kept.hangUp()
    return call !== undefined
  }

  async function dial(number: string): Promise<boolean> {
    if (call || placing) return false
    placing = true
    try {
      const uri = sipUri({ user: number, host: domain })
      const calling = { ...home, uri, to: { name: undefined, uri, params: noParams } }
      const told = {
        onProgress: (status: number) => tell({ type: 'progress', status }),
        onAnswered: answered,
      }
      keep(await placeCall({ userAgent, host, timers, log }, calling, { ...sound(), ...told }))
      return true
    } finally {
      placing = false
    }
  }

  return {
    take,
    answer,
    refuse,
    hangUp,
    dial,
    press: (keys: string) => call?.kept.press(keys),
    heard: () => call?.kept.heard(),
    async stop() {
      hangUp()
      await call?.kept.ended
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
