/**
 * Keys that the API sends into a call of another process (D280). They go by a notice alone, since what is stored could be
 * read later: a notice that is lost is a key that was not pressed.
 */
import type { KeyPress, VoiceEngine } from '../engine/port.ts'
import type { Database } from '../store/database.ts'
import { notify } from '../store/notices.ts'

export const keysChannel = 'call_keys'

export type KeysToPress = { callId: string; to: KeyPress['to']; keys: string }

export async function pressElsewhere(db: Database, { callId, to, keys }: KeysToPress) {
  await notify(db, keysChannel, `${callId} ${to} ${keys}`)
}

/** Only the process that has the call finds it. */
export function pressNoticed(engine: Pick<VoiceEngine, 'pressKeys'>, notice: string) {
  const [callId = '', to, keys = ''] = notice.split(' ')
  if (to === 'extension' || to === 'other') engine.pressKeys(callId, to, keys)
}
