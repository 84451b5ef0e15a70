/** The doctor's checks of SIP ports and of the place for recordings. */
import { access, constants, mkdir } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { withSipProbe } from '../../engine/probe.ts'
import { portProblem } from '../ports.ts'
import { type Finding, fine, ill } from './finding.ts'

export async function checkSipPort({ voice }: Config): Promise<Finding[]> {
  const { host, port } = voice
  const taken =
    port > 0 &&
    ((await portProblem('udp', host, port)) ?? (await portProblem('tcp', host, port))) !== undefined
  if (!taken) return [fine(`${host}:${port} is free for SIP over UDP and TCP`)]
  const { answers } = await withSipProbe(host, ({ probePeer }) => probePeer({ host, port }))
  return answers
    ? [fine(`${host}:${port} is taken, and answers SIP`)]
    : [ill(`${host}:${port} is taken or cannot be had: stop the other program or set SIP_HOST and SIP_PORT`)]
}

export async function checkRecordings(config: Config): Promise<Finding[]> {
  const { recordings, recordingDays, encryptsRecordings } = config
  const kept = (place: string) =>
    fine(`kept ${recordingDays} days in ${place}${encryptsRecordings ? ', encrypted' : ''}`)
  try {
    if ('bucket' in recordings) {
      const { tryBucket } = await import('../../recordings/storage/try-bucket.ts')
      await tryBucket(recordings.bucket)
      return [kept(`the bucket ${recordings.bucket.bucket}`)]
    }
    await mkdir(recordings.folder, { recursive: true, mode: 0o700 })
    await access(recordings.folder, constants.W_OK)
    return [kept(recordings.folder)]
  } catch (error) {
    return [
      ill(
        `${error instanceof Error ? error.message : error}: check RECORDINGS${'bucket' in recordings ? ' and the AWS_ settings' : ''}`,
      ),
    ]
  }
}
