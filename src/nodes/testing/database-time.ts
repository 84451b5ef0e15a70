/** Lets time pass for the database, in which leases and proofs of life are counted. */
export async function passDatabaseTime(run: (statement: string) => Promise<unknown>, seconds: number) {
  const earlier = (column: string) => `${column} = ${column} - interval '${seconds} seconds'`
  await run(`update voice_nodes set ${earlier('lease_until')}, ${earlier('started_at')}`)
  await run(`update calls set ${earlier('stamped_at')} where ended_at is null`)
}
