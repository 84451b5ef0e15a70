/** SIP by string templates: as little work as possible, so that the endpoints are not the bottleneck. */

/** The first value of a header in its usual spelling; empty if it is absent. */
export function headerOf(text: string, name: string): string {
  const start = text.indexOf(`\r\n${name}: `)
  if (start < 0) return ''
  const from = start + name.length + 4
  return text.slice(from, text.indexOf('\r\n', from))
}

/** The headers of a request that its response repeats. */
export type SipRequest = { via: string; from: string; to: string; callId: string; cseq: string }

export function readRequest(text: string): SipRequest {
  return {
    via: headerOf(text, 'Via'),
    from: headerOf(text, 'From'),
    to: headerOf(text, 'To'),
    callId: headerOf(text, 'Call-ID'),
    cseq: headerOf(text, 'CSeq'),
  }
}

/** One tag for all dialogs, which differ by their Call-ID. */
const ourTag = ';tag=bench'

export function toWithTag({ to }: SipRequest): string {
  return to.includes(';tag=') ? to : to + ourTag
}

export function writeResponse(request: SipRequest, status: string, more = '', body = ''): string {
  const { via, from, callId, cseq } = request
  const head = `SIP/2.0 ${status}\r\nVia: ${via}\r\nFrom: ${from}\r\nTo: ${toWithTag(request)}\r\nCall-ID: ${callId}\r\nCSeq: ${cseq}\r\n`
  return `${head}${more}Content-Length: ${body.length}\r\n\r\n${body}`
}

export function writeSdp(port: number): string {
  return `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\n`
}
