/** The page docs/scale.md. */
import type { Costs } from './costs.ts'
import {
  bytes,
  connectionsOfProcess,
  coresPerMachine,
  type Load,
  type Sizing,
  sizeOf,
  usualLoad,
} from './sizing.ts'

const sizes = [1_000, 10_000, 100_000]

export function scalePage(costs: Costs): string {
  const sizings = sizes.map((callsAtOnce) => sizeOf({ ...usualLoad, callsAtOnce }, costs))
  const row = (name: string, write: (sizing: Sizing) => string) =>
    `| ${name} | ${sizings.map(write).join(' | ')} |`
  return `# Scale

Machines, database, network and disk for a number of calls at once. \`npm run scale\` computes this page from the figures of
[capacity.md](capacity.md) and the sizes of [operating.md](operating.md#room); \`npm run scale -- --calls 2500 --length 120 --browsers 0.5\`
prints the table for your own load. The figures are those of small machines (2 cores), multiplied: nobody has run 100,000 calls at once. What
that cannot know stands at the end.

## Three sizes

${writeLoad(usualLoad)}
Half of the cores stays free, and there is one machine more than needed, so that one may fail. A machine has ${coresPerMachine} cores.

| Calls at once | ${sizes.map((calls) => calls.toLocaleString('en')).join(' | ')} |
| --- | ${sizes.map(() => '---:').join(' | ')} |
${rowsOf(row).join('\n')}

## Cost of one

| What | Cores, or ms of a core |
| --- | ---: |
| sound of a recorded call, both sides plain RTP | ${percent(costs.sound.plain)} of a core |
| the same with a browser on one side | ${percent(costs.sound.browser)} of a core |
| setting a call up, both legs | ${ms(costs.setUp)} |
| a registration with digest | ${ms(costs.registration)} |
| a request with a token | ${ms(costs.request)} |
| a call with all its steps, events and its price | ${ms(costs.call.service)}, PostgreSQL ${ms(costs.call.database)} |
| an event delivered to a webhook | ${ms(costs.delivery.service)}, PostgreSQL ${ms(costs.delivery.database)} |

${rest}`
}

/** The table alone, for one load. */
export function scaleTable(load: Load, costs: Costs): string {
  const sizing = sizeOf(load, costs)
  const rows = rowsOf((name, write) => `${name.padEnd(44)} ${write(sizing)}`)
  return `${writeLoad(load)}\n\n${rows.join('\n')}\n`
}

function rowsOf(row: (name: string, write: (sizing: Sizing) => string) => string): string[] {
  return [
    row('calls placed a second', ({ callsPerSecond }) => number(callsPerSecond)),
    row('calls a day', ({ callsPerDay }) => count(callsPerDay)),
    row('webhooks a second', ({ deliveries }) => number(deliveries)),
    row('registrations a second', ({ registrations }) => number(registrations)),
    row('voice machines (`ROLES=voice`)', ({ voiceMachines }) => count(voiceMachines)),
    row('machines for `api` and `worker`', ({ otherMachines }) => count(otherMachines)),
    row('cores of PostgreSQL', ({ databaseCores }) => number(databaseCores)),
    row('connections to PostgreSQL', ({ connections }) => count(connections)),
    row(
      'network of all voice machines, each way',
      ({ networkBits }) => `${number(networkBits / 1e9)} Gbit/s`,
    ),
    row('WAL of PostgreSQL', ({ walPerSecond }) => `${number(walPerSecond / 1e6)} MB/s`),
    row('database grows a day, for good', ({ databasePerDay }) => gigabytes(databasePerDay)),
    row('recordings a day, WAV', ({ recordingsPerDay }) => gigabytes(recordingsPerDay)),
    row('recordings a day, Ogg/Opus', ({ compactPerDay }) => gigabytes(compactPerDay)),
  ]
}

function writeLoad(load: Omit<Load, 'callsAtOnce'>): string {
  const { length, browsers, phonesPerCall, registerEvery, deliveriesPerCall, requestsPerCall, busyHours } =
    load
  return (
    `A call takes ${length} s from placing to its end and is recorded; ${percent(browsers)} of the phones in calls are browsers. ` +
    `For each call at once there are ${phonesPerCall} phones, which register every ${registerEvery} s. A call has ` +
    `${deliveriesPerCall} webhooks and ${requestsPerCall} other requests. ${busyHours} hours a day are like that.`
  )
}

const rest = `## What gives first

Sound decides the number of machines: it takes more than nine tenths of all cores, and it is spread over voice machines without anything shared. All
processes share one PostgreSQL, and there three things end, in this order:

1. **Connections.** A process keeps up to ${connectionsOfProcess}. Beyond some hundred, give voice nodes smaller pools (\`DATABASE_POOL\`, \`DATABASE_CALL_POOL\`,
   \`DATABASE_SEARCH_POOL\`): a voice machine stores a few calls a second. A pooler in front is refused (D261).
2. **Webhooks.** Delivering an event costs PostgreSQL about as much as storing a call. Integrators who read the feed (\`GET /events\`) instead cost a
   request for each hundred events.
3. **Writing.** Each call is about ${bytes.wal.toLocaleString('en')} bytes of WAL, which replicas must keep up with.

## Several databases: cells

One PostgreSQL is one cell: it, its Redis, and the processes that share them. A service that outgrows a cell gets a second one, whole, with its own
\`PUBLIC_URL\` and \`SECRET_KEY\`.

- **An account lives in one cell.** Its domain decides: \`padaria.voz.example\` has its SIP records and its API address in DNS at its cell. Nothing an
  account does needs another one: calls between accounts go out and in through a carrier, as between any two services.
- **Shared:** the bucket, with a prefix for each cell (\`RECORDINGS=s3://bucket/cell-2\`), the mail server, the payment gateway with one webhook address for
  each cell, monitoring with a label for each cell.
- **New accounts** are made in the cell with the most room (\`ramal account create\`, or the sign-up page of that cell). Cells need not be alike: one large
  account may have one for itself.
- **Moving an account** to another cell has no command, and was not tried: choose the cell when the account is made.

## What this page does not know

- Machines with more than 2 cores: sound was measured with one media thread, and more threads share nothing; SIP of one voice node is one thread, which
  sets up about 400 calls a second.
- Networks with loss, and network cards at their limit of packets: a call is 200 packets a second in and 200 out.
- PostgreSQL with more than one core in use, or on another machine.
`

const percent = (share: number) => `${(share * 100).toLocaleString('en', { maximumFractionDigits: 2 })} %`
const ms = (seconds: number) => `${(seconds * 1000).toFixed(2)} ms`
const count = (value: number) => Math.ceil(value).toLocaleString('en')
const number = (value: number) =>
  value.toLocaleString('en', value < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 })
const gigabytes = (value: number) => `${number(value / 1e9)} GB`
