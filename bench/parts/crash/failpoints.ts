/**
 * Failpoints: triggers at which a process of the service can be blocked and killed, so that a kill hits exactly the
 * step under test. They exist in the scratch database only; the service does not know them.
 */
import pg from 'pg'

/**
 * In the order in which a call passes them. When the process is killed while a row is written, the transaction is
 * rolled back; when it is killed at the commit, the transaction still commits, but its result is lost.
 */
const failpoints = {
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

export type Failpoint = keyof typeof failpoints
export const failpointNames = Object.keys(failpoints) as Failpoint[]

/** Advisory lock keys that nothing else uses. */
const keyOf = (failpoint: Failpoint) => 918_273_000 + failpointNames.indexOf(failpoint)
const pollMs = 3

const passFunction = `create function pass_failpoint() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
    return new;
  end $$`

export async function openFailpoints(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(passFunction)
  for (const [name, when] of Object.entries(failpoints)) {
    const kind = when.includes('deferrable') ? 'constraint trigger' : 'trigger'
    const key = keyOf(name as Failpoint)
    await client.query(`create ${kind} zz_failpoint_${key} ${when} execute function pass_failpoint('${key}')`)
  }

  /** The processes blocked at the failpoint, by the `application_name` of their connections. */
  async function waitingAt(failpoint: Failpoint): Promise<string[]> {
    const { rows } = await client.query(
      `select distinct a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and not l.granted and l.objid = $1 and a.datname = current_database()`,
      [keyOf(failpoint)],
    )
    return rows.map(({ name }) => String(name))
  }

  /** Blocks every process at the failpoint until `act` returns true for those blocked. False if that takes longer than `ms`. */
  async function hold(
    failpoint: Failpoint,
    ms: number,
    act: (names: string[]) => Promise<boolean>,
  ): Promise<boolean> {
    await client.query('select pg_advisory_lock($1)', [keyOf(failpoint)])
    try {
      for (const end = performance.now() + ms; performance.now() < end; ) {
        const names = await waitingAt(failpoint)
        if (names.length > 0 && (await act(names))) return true
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      }
      return false
    } finally {
      await client.query('select pg_advisory_unlock($1)', [keyOf(failpoint)])
    }
  }

  return { hold, query: (text: string) => client.query(text), close: () => client.end() }
}
export type Failpoints = Awaited<ReturnType<typeof openFailpoints>>
