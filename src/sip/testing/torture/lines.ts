/** Messages are written with one line per source line; on the wire each ends with CRLF. Backslashes are literal. */
export function wire(strings: TemplateStringsArray, ...inserted: string[]): string {
  return String.raw(strings, ...inserted).replace(/\r?\n/g, '\r\n')
}

/** The body that most of the messages carry. */
export function session(address: string, time = '0 0'): string {
  return wire`v=0
o=mhandley 29739 7272939 IN IP4 ${address}
s=-
c=IN IP4 ${address}
t=${time}
m=audio 49217 RTP/AVP 0 12
m=video 3227 RTP/AVP 31
a=rtpmap:31 LPC
`
}
