/** What a soak reads: which figures must stay level, which must be zero at the end, and which are printed. */
import { judgeGrowth, type Sample, type Slack } from '../growth.ts'
import { withBloat } from './tables.ts'

/** How much a figure may rise over the second half of the run: a share of its value, or a number of units. */
const slacks: Record<string, Slack> = {
  rss_mb: { share: 0.05, units: 8 },
  heap_mb: { share: 0.05, units: 4 },
  external_mb: { share: 0.1, units: 4 },
  open_files: { share: 0.1, units: 8 },
  spooled_files: { share: 0.5, units: 10 },
  handle_Timeout: { share: 0.25, units: 60 },
  handle_UDPWrap: { share: 0, units: 4 },
  handle_TCPSocketWrap: { share: 0, units: 8 },
  sip_transactions_client: { share: 0.25, units: 60 },
  sip_transactions_server: { share: 0.25, units: 60 },
  sip_legs: { share: 0.25, units: 10 },
  media_calls: { share: 0.25, units: 10 },
  media_used_port_pairs: { share: 0.25, units: 10 },
  calls: { share: 0.25, units: 10 },
  registrations: { share: 0, units: 0.5 },
  guard_sources: { share: 0, units: 1 },
  connections: { share: 0, units: 4 },
  live_call_rows: { share: 0.25, units: 10 },
  // An outage of the receiver leaves some for five minutes; expired tokens are removed every ten.
  waiting_deliveries: { share: 0.25, units: 100 },
  token_rows: { share: 0.25, units: 100 },
  registration_rows: { share: 0, units: 0.5 },
}
/** Of each table, by the beginning of the figure's name. Autovacuum comes at a fifth of dead rows. */
const tableSlacks: Record<string, Slack> = {
  bloat_kb_: { share: 0.1, units: 80 },
  dead_share_: { share: 0.25, units: 0.3 },
}
/** Figures that must be zero when every call is over; OPTIONS to the carrier go on. */
const leftovers = [
  'calls',
  'sip_legs',
  'media_calls',
  'media_used_port_pairs',
  'live_call_rows',
  'spooled_files',
  'waiting_deliveries',
]
const maxQualifying = 2
/** Columns, by the figures they show. */
const columns: Record<string, string> = {
  rss_mb: 'RSS MB',
  heap_mb: 'heap MB',
  external_mb: 'ext MB',
  open_files: 'files',
  handle_UDPWrap: 'UDP',
  handle_TCPSocketWrap: 'TCP',
  handle_Timeout: 'timers',
  calls: 'calls',
  sip_legs: 'legs',
  sip_transactions_client: 'asked',
  sip_transactions_server: 'answered',
  media_used_port_pairs: 'RTP used',
  connections: 'db conns',
  live_call_rows: 'live rows',
  call_rows: 'rows',
  token_rows: 'tokens',
  waiting_deliveries: 'waiting',
  spooled_files: 'spool',
  database_mb: 'db MB',
  wal_mb: 'WAL MB',
  load: 'load',
}
const width = 10

export function judge(taken: Sample[]): string[] {
  const samples = withBloat(taken)
  const names = Object.keys(samples.at(-1)?.figures ?? {})
  const ofTables = Object.entries(tableSlacks).flatMap(([start, slack]) =>
    names.filter((name) => name.startsWith(start)).map((name) => [name, slack] as const),
  )
  return judgeGrowth(samples, { ...slacks, ...Object.fromEntries(ofTables) })
    .filter(({ grows }) => grows)
    .map(
      ({ name, from, to, allowed }) =>
        `${name} from ${round(from)} to ${round(to)}, ${round(allowed)} allowed`,
    )
}

export function judgeLeftovers(after: Sample['figures']): string[] {
  const left = leftovers.filter((name) => (after[name] ?? 0) > 0)
  if ((after.sip_transactions_client ?? 0) > maxQualifying) left.push('sip_transactions_client')
  return left.map((name) => `${name}: ${after[name]} left`)
}

const round = (value: number) => (Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Math.round(value))

export const titleLine = () => joinCells(Object.values(columns))

export function lineOf(figures: Sample['figures']): string {
  return joinCells(Object.keys(columns).map((name) => `${round(figures[name] ?? 0)}`))
}

const joinCells = (cells: string[]) => cells.map((cell) => cell.padStart(width)).join('')
