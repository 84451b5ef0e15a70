/** Messages as they come over the wire. */
export function requestText({ transport = 'UDP', branch = 'z9hG4bK1', via = '', line = '', body = '' } = {}) {
  return [
    line || 'OPTIONS sip:a@b.com SIP/2.0',
    `Via: SIP/2.0/${transport} 127.0.0.1:5099;branch=${branch}${via}`,
    'From: <sip:a@b.com>;tag=1',
    'To: <sip:b@b.com>',
    'Call-ID: 1',
    'CSeq: 1 OPTIONS',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
