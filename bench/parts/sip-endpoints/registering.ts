/** Phones that register with digest authentication: two requests each, a few phones at a time. */
import { hash } from 'node:crypto'
import type { Socket } from 'node:dgram'
import { createQuantiles, type Quantiles } from '../quantiles.ts'
import { headerOf } from './sip-text.ts'

export type RegisterJob = {
  /** UDP port of the registrar. */
  port: number
  domain: string
  password: string
  /** Extension numbers: the first, and how many. */
  first: number
  count: number
  /** Phones that register at the same time. */
  concurrency: number
  /** Absent: each phone registers once. Otherwise the phones keep registering for this long. */
  seconds?: number
}

type Phone = { number: number; cseq: number; beganAt: number; askedAt: number; tries: number; text: string }

/** Latencies are those of whole registrations: the challenge, and the request that answers it. */
type Registered = { done: number; seconds: number; latencies: Quantiles }

const repeatMs = 500
const maxTries = 8
/** From the first request on. */
const timeoutMs = 16_000
const expiresSeconds = 3600

const md5 = (text: string) => hash('md5', text, 'hex')

export function createRegistering(socket: Socket) {
  let take: (text: string) => void = () => {}
  let cseq = 0

  function run({ port, domain, password, first, count, concurrency, seconds }: RegisterJob) {
    const asking = new Map<string, Phone>()
    const localPort = socket.address().port
    const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000
    const limit = seconds === undefined ? count : Number.POSITIVE_INFINITY
    const began = performance.now()
    const latencies = createQuantiles()
    let begun = 0
    let done = 0

    function ask(phone: Phone, authorization: string) {
      const { number } = phone
      cseq += 1
      phone.cseq = cseq
      phone.tries += 1
      phone.text = `REGISTER sip:${domain} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${localPort};branch=z9hG4bK-${cseq};rport\r\nMax-Forwards: 70\r\nFrom: <sip:${number}@${domain}>;tag=${cseq}\r\nTo: <sip:${number}@${domain}>\r\nCall-ID: phone-${number}\r\nCSeq: ${cseq} REGISTER\r\nContact: <sip:${number}@127.0.0.1:${localPort}>\r\nExpires: ${expiresSeconds}\r\nUser-Agent: bench\r\n${authorization}Content-Length: 0\r\n\r\n`
      send(phone)
    }

    function send(phone: Phone) {
      phone.askedAt = performance.now()
      socket.send(Buffer.from(phone.text, 'latin1'), port, '127.0.0.1')
    }

    function sign(phone: Phone, challenge: string): string {
      const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
      const realm = /realm="([^"]+)"/.exec(challenge)?.[1] ?? ''
      const uri = `sip:${domain}`
      const secret = md5(`${phone.number}:${realm}:${password}`)
      const response = md5(`${secret}:${nonce}:00000001:c:auth:${md5(`REGISTER:${uri}`)}`)
      return `Authorization: Digest username="${phone.number}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c"\r\n`
    }

    return new Promise<Registered>((resolve, reject) => {
      const repeat = setInterval(() => {
        const now = performance.now()
        for (const phone of asking.values()) {
          if (now - phone.beganAt > timeoutMs) return finish(new Error('a phone got no answer'))
          if (now - phone.askedAt > repeatMs) send(phone)
        }
      }, repeatMs / 5)

      function finish(error?: Error) {
        clearInterval(repeat)
        take = () => {}
        if (error) reject(error)
        else resolve({ done, seconds: (performance.now() - began) / 1000, latencies: latencies.read() })
      }

      function next() {
        while (asking.size < concurrency && begun < limit && performance.now() < until) {
          const number = first + (begun % count)
          begun += 1
          const phone = { number, cseq: 0, beganAt: performance.now(), askedAt: 0, tries: 0, text: '' }
          asking.set(`phone-${number}`, phone)
          ask(phone, '')
        }
        if (asking.size === 0) finish()
      }

      take = (text) => {
        const callId = headerOf(text, 'Call-ID')
        const phone = asking.get(callId)
        if (!phone || headerOf(text, 'CSeq') !== `${phone.cseq} REGISTER`) return
        if (text.startsWith('SIP/2.0 200')) {
          asking.delete(callId)
          done += 1
          latencies.add(performance.now() - phone.beganAt)
          next()
        } else if (text.startsWith('SIP/2.0 401') && phone.tries < maxTries) {
          ask(phone, sign(phone, headerOf(text, 'WWW-Authenticate')))
        } else finish(new Error(`a phone could not register: ${text.split('\r\n')[0]}`))
      }
      next()
    })
  }

  return { run, take: (text: string) => take(text) }
}
