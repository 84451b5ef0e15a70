/**
 * Called endpoints (user agent servers). Phones answer and stay; a destination behind the carrier behaves by the last
 * digits of its number:
 *
 *   …01 is busy   …02 rings until the caller gives up   …03 answers and hangs up   others answer and stay
 */
import type { RemoteInfo, Socket } from 'node:dgram'
import type { RtpStreams } from './rtp-streams.ts'
import { headerOf, readRequest, type SipRequest, toWithTag, writeResponse, writeSdp } from './sip-text.ts'

/** Longer numbers are destinations behind the carrier. */
const longestExtension = 6
/** How long a destination ending in 03 talks. */
const shortTalkMs = 2_500

type Leg = {
  request: SipRequest
  from: RemoteInfo
  /** The remote target of the dialog. */
  contact: string
  /** The RTP stream sent to the caller. */
  stream?: number | undefined
  timer?: NodeJS.Timeout | undefined
}

export function createAnswering(socket: Socket, rtp: RtpStreams) {
  const legs = new Map<string, Leg>()
  const totals = { answered: 0, ended: 0 }
  let isAway = false
  const contact = `Contact: <sip:bench@127.0.0.1:${socket.address().port}>\r\n`
  const sdpHeaders = `${contact}Content-Type: application/sdp\r\n`

  function send(text: string, { port, address }: RemoteInfo) {
    socket.send(Buffer.from(text, 'latin1'), port, address)
  }

  function invited(text: string, from: RemoteInfo) {
    const request = readRequest(text)
    const { callId } = request
    const number = text.slice(11, text.indexOf('@'))
    const ending = number.length > longestExtension ? number.slice(-2) : ''
    if (ending === '01') return send(writeResponse(request, '486 Busy Here'), from)
    send(writeResponse(request, '180 Ringing', contact), from)
    const leg = legs.get(callId) ?? {
      request,
      from,
      contact: headerOf(text, 'Contact').replace(/.*<|>.*/g, ''),
    }
    const isNew = !legs.has(callId)
    legs.set(callId, leg)
    if (ending === '02') return
    send(writeResponse(request, '200 OK', sdpHeaders, writeSdp(rtp.port)), from)
    if (!isNew) return
    totals.answered += 1
    leg.stream = rtp.begin(Number(/\r\nm=audio (\d+)/.exec(text)?.[1]))
    if (ending === '03') leg.timer = setTimeout(hangUp, shortTalkMs, callId)
  }

  function hangUp(callId: string) {
    const leg = legs.get(callId)
    if (!leg) return
    if (isAway) {
      leg.timer = setTimeout(hangUp, shortTalkMs, callId)
      return
    }
    const { request, from, contact: uri } = leg
    const port = socket.address().port
    send(
      `BYE ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK-bye-${callId};rport\r\nMax-Forwards: 70\r\nFrom: ${toWithTag(request)}\r\nTo: ${request.from}\r\nCall-ID: ${callId}\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n`,
      from,
    )
    leave(callId)
  }

  function leave(callId: string) {
    const leg = legs.get(callId)
    if (!legs.delete(callId)) return
    totals.ended += 1
    clearTimeout(leg?.timer)
    if (leg?.stream !== undefined) rtp.end(leg.stream)
  }

  /** True if the request was handled. */
  function take(text: string, from: RemoteInfo): boolean {
    if (isAway) return true
    if (text.startsWith('INVITE ')) invited(text, from)
    else if (text.startsWith('BYE ')) {
      const request = readRequest(text)
      send(writeResponse(request, '200 OK'), from)
      leave(request.callId)
    } else if (text.startsWith('CANCEL ')) {
      const request = readRequest(text)
      const rung = legs.get(request.callId)
      send(writeResponse(request, '200 OK'), from)
      if (rung && rung.stream === undefined) {
        send(writeResponse(rung.request, '487 Request Terminated'), from)
        leave(request.callId)
      }
    } else if (text.startsWith('OPTIONS ')) send(writeResponse(readRequest(text), '200 OK'), from)
    else return text.startsWith('ACK ')
    return true
  }

  return {
    take,
    figures: () => ({ ...totals, legs: legs.size }),
    /** Neither reads nor sends messages while it is away; the sound of its calls goes on. */
    setAway(away: boolean) {
      isAway = away
    },
  }
}
