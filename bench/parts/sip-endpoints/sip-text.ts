/** SIP by string templates: as little work for the crowd as can be, so that it is not what is measured. */

/** Of a header that is written as usual, the first value; empty when there is none. */
export function headerOf(text: string, name: string): string {
  const start = text.indexOf(`\r\n${name}: `)
  if (start < 0) return ''
  const from = start + name.length + 4
  return text.slice(from, text.indexOf('\r\n', from))
}

/** What goes into an answer of what came in the question. */
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

/** One tag serves all: dialogs differ by their Call-ID. */
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
