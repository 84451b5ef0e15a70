/** SQL of the peaks of recordings. */
import type { Database } from '../../store/database.ts'
import type { Peaks } from './peaks.ts'

export type StoredPeaks = Peaks & { frames: number }

export async function selectPeaks(db: Database, callId: string): Promise<StoredPeaks | undefined> {
  return await db
    .selectFrom('recording_peaks')
    .select(['frames', 'extension', 'destination'])
    .where('call_id', '=', callId)
    .executeTakeFirst()
}

/** Nothing if another process was faster. */
export async function insertPeaks(tx: Database, callId: string, peaks: StoredPeaks) {
  await tx
    .insertInto('recording_peaks')
    .values({
      call_id: callId,
      frames: peaks.frames,
      extension: Buffer.from(peaks.extension),
      destination: Buffer.from(peaks.destination),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deletePeaks(tx: Database, callIds: string[]) {
  await tx.deleteFrom('recording_peaks').where('call_id', 'in', callIds).execute()
}
