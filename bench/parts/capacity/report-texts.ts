/** What the capacity report says besides its figures. */

export const intro = `# Capacity

What one machine carries. \`npm run capacity -- <part>\` raises each load until it is no longer carried, and writes this page.
The load generator, the service and its PostgreSQL share the machine: a service alone on it carries more. A load is carried
while no request and no call fails, and, for 99 of 100 of them: API requests and calls are answered within 50 ms, calls are
set up within 200 ms, events are received within 500 ms; of the packets of sound, at most 0.5 % are missing or more than
20 ms late. Each load lasts 3 to 5 seconds; loads are doubled until one is not carried, and those between tried twice if time
allows. A load that is not carried is tried once more, and up to four times while other programs, or other virtual machines on
the same host, use the cores: a pause of a tenth of a second makes every packet of that time late.

How to size: take the row of what you expect in your busiest minute, and as many machines as \`plan with\` (half of what was
carried) fits into it. The rows do not add up: calls that are placed by the API take from the API, the set-ups, the sound
and the database at the same time, and the first of them that is used up decides. On more machines each voice process carries
its own set-ups and sound, while all of them share one PostgreSQL, whose limit is what the part \`api\` measures.
`

/** In this order on the page. */
export const titles = {
  api: {
    title: 'API and stored calls',
    text: 'One account. A whole call is placed, rings, is answered, ends and is priced, each step stored with its events, without sound.',
  },
  accounts: {
    title: 'Growth with accounts',
    text: 'Whole calls as above (one account), spread evenly over more accounts.',
  },
  stored: {
    title: 'Growth with stored calls',
    text: 'The first table again, in a database with many calls. Whole calls come right after the placed ones, whose last loads were too high: PostgreSQL still works on what those left behind.',
  },
  deliveries: {
    title: 'Webhooks',
    text: 'Events written, signed, sent and received; latency from the commit to the receiver.',
  },
  setups: {
    title: 'Calls set up by SIP',
    text: 'The engine without the database, with simulated phones and a simulated carrier; Asterisk does the same under control of ARI.',
  },
  recorded: {
    title: 'Recorded calls at once, by SIP',
    text: 'Sound in both directions (PCMA, 50 packets a second and side), one media thread, each call recorded. Latency: packets after they were due. Asterisk mixes what it records every 20 ms, so that its packets are later by design: only missing ones count.',
  },
  sound: {
    title: 'Recorded calls at once, by kind',
    text: 'The media thread alone, without SIP.',
  },
  registrations: {
    title: 'Phones',
    text: 'The whole service with its database. Every phone registers, and all register again (challenge and digest, UDP) for five seconds; latency of a registration with 64 at a time.',
  },
  lists: {
    title: 'Lists of calls',
    text: 'A page of 100 calls with its total, in a small and a large account of one database, and every search that the contract lists against the plain page of the large account. Where a search reads calls, newest first, the total is a lower bound (at least); one that would take more than 1.5 s is refused with 422 SEARCH_TOO_EXPENSIVE, which names the remedy: a shorter range of started_at. Times are those of whole requests; the ratio is the median of neighbouring rounds.',
  },
} satisfies Record<string, { title: string; text: string }>

export const outro = `## Not measured

- More than one machine: \`npm run bench -- fleet\` measures three processes on one PostgreSQL.
- A PostgreSQL, load generator or receiver on another machine, and networks with loss or delay.
- More than 100 million calls, and one account that has all of them.
- Recordings in a bucket, transcoding (all sides have PCMA), video, TLS for SIP.
- Registrations at Asterisk; whole calls of Asterisk with prices, which it does not have.
- Loads that last for hours: \`npm run soak\` is for those.
`
