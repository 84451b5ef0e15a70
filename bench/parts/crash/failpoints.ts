/**
 * Gates in the database at which whoever passes can be held up and killed, so that a kill hits the very step it is
 * meant for. They are triggers of the scratch database alone: the service knows nothing of them.
 */
import pg from 'pg'

/** In the order in which a call passes them. Held before: what is under way is undone. At the commit: it is done, and nobody hears of it. */
const gates = {
  'placing: row being written': 'before insert on calls for each row',
  'placing: at the commit': 'after insert on calls deferrable initially deferred for each row',
  'ending: event being written': "before insert on events for each row when (new.kind = 'channel-hangup')",
  'ending: at the commit':
    "after insert on events deferrable initially deferred for each row when (new.kind = 'channel-hangup')",
  'claiming: being claimed': 'before update on deliveries for each row when (new.attempts > old.attempts)',
  'recording: being recorded':
    "before update on deliveries for each row when (new.state = 'delivered' and old.state <> 'delivered')",
  'recording: at the commit':
    "after update on deliveries deferrable initially deferred for each row when (new.state = 'delivered' and old.state <> 'delivered')",
} as const

export type Gate = keyof typeof gates
export const gateNames = Object.keys(gates) as Gate[]

/** Advisory locks that nobody else takes. */
const keyOf = (gate: Gate) => 918_273_000 + gateNames.indexOf(gate)
const lookMs = 3

const passText = `create function pass_gate() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
    return new;
  end $$`

export async function openGates(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(passText)
  for (const [name, when] of Object.entries(gates)) {
    const kind = when.includes('deferrable') ? 'constraint trigger' : 'trigger'
    const key = keyOf(name as Gate)
    await client.query(`create ${kind} zz_gate_${key} ${when} execute function pass_gate('${key}')`)
  }

  /** Who waits at the gate, by the names their connections bear. */
  async function waitingAt(gate: Gate): Promise<string[]> {
    const { rows } = await client.query(
      `select distinct a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and not l.granted and l.objid = $1 and a.datname = current_database()`,
      [keyOf(gate)],
    )
    return rows.map(({ name }) => String(name))
  }

  /** Shut until somebody of these waits at it and `act` has dealt with them. Says whether that came to be within `ms`. */
  async function hold(gate: Gate, ms: number, act: (names: string[]) => Promise<boolean>): Promise<boolean> {
    await client.query('select pg_advisory_lock($1)', [keyOf(gate)])
    try {
      for (const end = performance.now() + ms; performance.now() < end; ) {
        const names = await waitingAt(gate)
        if (names.length > 0 && (await act(names))) return true
        await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
      return false
    } finally {
      await client.query('select pg_advisory_unlock($1)', [keyOf(gate)])
    }
  }

  return { hold, query: (text: string) => client.query(text), close: () => client.end() }
}
export type Gates = Awaited<ReturnType<typeof openGates>>
