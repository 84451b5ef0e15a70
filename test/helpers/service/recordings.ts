/** Recordings as a voice node hands them over when a call has ended. */
import { Readable } from 'node:stream'
import type { Service } from './service.ts'

/** Stores the sound of a call whose recording is spooled. */
export const storeRecording = (
  { app }: Pick<Service, 'app'>,
  callId: string,
  sound: Buffer,
  seconds: number,
) =>
  app.services.calls.recordingIntake.take(callId, {
    seconds,
    bytes: sound.length,
    open: async () => Readable.from([sound]),
    discard: async () => {},
  })
