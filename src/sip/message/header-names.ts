/** The canonical spelling of header names, and which headers may occur only once. */

const canonical = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Alert-Info',
  'Allow',
  'Allow-Events',
  'Authentication-Info',
  'Authorization',
  'Call-ID',
  'Call-Info',
  'Contact',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Type',
  'CSeq',
  'Date',
  'Event',
  'Expires',
  'From',
  'Identity',
  'In-Reply-To',
  'Max-Forwards',
  'MIME-Version',
  'Min-Expires',
  'Min-SE',
  'Organization',
  'P-Asserted-Identity',
  'P-Preferred-Identity',
  'Path',
  'Priority',
  'Privacy',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'Proxy-Require',
  'RAck',
  'Reason',
  'Record-Route',
  'Refer-To',
  'Referred-By',
  'Remote-Party-ID',
  'Replaces',
  'Reply-To',
  'Require',
  'Retry-After',
  'Route',
  'RSeq',
  'Server',
  'Service-Route',
  'Session-Expires',
  'Subject',
  'Subscription-State',
  'Supported',
  'Timestamp',
  'To',
  'Unsupported',
  'User-Agent',
  'Via',
  'Warning',
  'WWW-Authenticate',
]

const compact: Record<string, string> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  d: 'Request-Disposition',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  j: 'Reject-Contact',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  n: 'Identity-Info',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
  y: 'Identity',
}

const spelling = new Map([
  ...canonical.map((name) => [name, name] as const),
  ...canonical.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(compact),
])

/** The canonical spelling of a known header. */
export function knownName(name: string): string | undefined {
  return spelling.get(name) ?? spelling.get(name.toLowerCase())
}

/** An unknown header keeps its spelling. */
export function canonicalName(name: string): string {
  return knownName(name) ?? name
}

/** A message that repeats one of these is rejected: two readers could each use a different value. */
export const onceOnly: ReadonlySet<string> = new Set([
  'Call-ID',
  'Content-Length',
  'Content-Type',
  'CSeq',
  'Event',
  'Expires',
  'From',
  'Max-Forwards',
  'Min-Expires',
  'Min-SE',
  'Refer-To',
  'Session-Expires',
  'To',
])
