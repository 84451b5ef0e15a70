/**
 * Reads the state of accounts, for one account one read at a time: all who ask while it runs share the next one, which
 * begins after they asked, so that it has every change from before.
 */
type Reading<Snapshot> = { running: Promise<unknown>; next: Promise<Snapshot> | undefined }

export function createSnapshotReader<Snapshot>(read: (accountId: number) => Promise<Snapshot>) {
  const readings = new Map<number, Reading<Snapshot>>()

  async function start(accountId: number): Promise<Snapshot> {
    const running = read(accountId)
    const reading: Reading<Snapshot> = { running, next: undefined }
    readings.set(accountId, reading)
    try {
      return await running
    } finally {
      if (!reading.next) readings.delete(accountId)
    }
  }

  return (accountId: number): Promise<Snapshot> => {
    const reading = readings.get(accountId)
    if (!reading) return start(accountId)
    reading.next ??= reading.running.then(
      () => start(accountId),
      () => start(accountId),
    )
    return reading.next
  }
}
