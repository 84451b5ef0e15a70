/** `secret rotate`: a new secret key; everything sealed with the old one is re-encrypted while the service runs. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { createKeyRotation } from '../../store/secrets/rotation.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} secret rotate [--revoke-links]

Re-encrypts everything that is sealed with the secret key. Without SECRET_KEY a new key is made in the data folder;
with it, set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old one first, in every process.
The service may run meanwhile. If it is interrupted, run it again: it continues.
--revoke-links also makes all links to recordings that were sent so far invalid.`

export async function run(config: Config, args: string[]): Promise<number> {
  const options = { 'revoke-links': { type: 'boolean', default: false } } as const
  const { values, positionals } = readOptions({ args, options, allowPositionals: true })
  if (positionals.join(' ') !== 'rotate') throw new UsageError('The only command is `secret rotate`.')
  const services = await openForCommand(config)
  const { db, vault, keys, storedKeys } = services.base
  const rotation = createKeyRotation({ db, vault, keys, storedKeys, pause, report: say })
  try {
    await rotation.rotate({ revokeLinks: values['revoke-links'] })
    say('Everything is sealed with the new key.')
    return 0
  } finally {
    await services.close()
  }
}
