/**
 * Those who are called. Phones answer and stay. What a carrier's customer does goes by the last digits of the number:
 *
 *   …01 is busy   …02 rings until the caller gives up   …03 answers and hangs up   others answer and stay
 */
import type { RemoteInfo, Socket } from 'node:dgram'
import type { Sound } from './rtp-streams.ts'
import { headerOf, type Question, readQuestion, tagged, writeAnswer, writeDescription } from './sip-text.ts'

/** Longer numbers are those of a carrier's customers. */
const longestExtension = 6
/** How long an impatient one talks. */
const shortTalkMs = 2_500

type Leg = {
  question: Question
  from: RemoteInfo
  /** Where the other side wants to be asked. */
  contact: string
  /** The stream it hears, and its timer. */
  stream?: number | undefined
  timer?: NodeJS.Timeout | undefined
}

export function createAnswering(socket: Socket, sound: Sound) {
  const legs = new Map<string, Leg>()
  const totals = { answered: 0, ended: 0 }
  const contact = `Contact: <sip:crowd@127.0.0.1:${socket.address().port}>\r\n`
  const withSound = `${contact}Content-Type: application/sdp\r\n`

  function say(text: string, { port, address }: RemoteInfo) {
    socket.send(Buffer.from(text, 'latin1'), port, address)
  }

  function invited(text: string, from: RemoteInfo) {
    const question = readQuestion(text)
    const { callId } = question
    const number = text.slice(11, text.indexOf('@'))
    const ending = number.length > longestExtension ? number.slice(-2) : ''
    if (ending === '01') return say(writeAnswer(question, '486 Busy Here'), from)
    say(writeAnswer(question, '180 Ringing', contact), from)
    const leg = legs.get(callId) ?? {
      question,
      from,
      contact: headerOf(text, 'Contact').replace(/.*<|>.*/g, ''),
    }
    const isNew = !legs.has(callId)
    legs.set(callId, leg)
    if (ending === '02') return
    say(writeAnswer(question, '200 OK', withSound, writeDescription(sound.port)), from)
    if (!isNew) return
    totals.answered += 1
    leg.stream = sound.begin(Number(/\r\nm=audio (\d+)/.exec(text)?.[1]))
    if (ending === '03') leg.timer = setTimeout(hangUp, shortTalkMs, callId)
  }

  function hangUp(callId: string) {
    const leg = legs.get(callId)
    if (!leg) return
    const { question, from, contact: uri } = leg
    const port = socket.address().port
    say(
      `BYE ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK-bye-${callId};rport\r\nMax-Forwards: 70\r\nFrom: ${tagged(question)}\r\nTo: ${question.from}\r\nCall-ID: ${callId}\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n`,
      from,
    )
    leave(callId)
  }

  function leave(callId: string) {
    const leg = legs.get(callId)
    if (!legs.delete(callId)) return
    totals.ended += 1
    clearTimeout(leg?.timer)
    if (leg?.stream !== undefined) sound.end(leg.stream)
  }

  /** True if it was for us. */
  function take(text: string, from: RemoteInfo): boolean {
    if (text.startsWith('INVITE ')) invited(text, from)
    else if (text.startsWith('BYE ')) {
      const question = readQuestion(text)
      say(writeAnswer(question, '200 OK'), from)
      leave(question.callId)
    } else if (text.startsWith('CANCEL ')) {
      const question = readQuestion(text)
      const rung = legs.get(question.callId)
      say(writeAnswer(question, '200 OK'), from)
      if (rung && rung.stream === undefined) {
        say(writeAnswer(rung.question, '487 Request Terminated'), from)
        leave(question.callId)
      }
    } else if (text.startsWith('OPTIONS ')) say(writeAnswer(readQuestion(text), '200 OK'), from)
    else return text.startsWith('ACK ')
    return true
  }

  return { take, figures: () => ({ ...totals, legs: legs.size }) }
}
