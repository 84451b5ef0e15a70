/** `key reset`: another secret key for a database whose own is lost (D243). */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { makeWebhookSecret } from '../../integrations/webhook-secrets.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { openStore } from '../../store/open-store.ts'
import { createSecretKeys } from '../../store/secrets/key-files.ts'
import { createKeyReset, type LostValues } from '../../store/secrets/key-reset.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} key reset [--confirm]

For a secret key that is lost for good: the service starts again, with the key that SECRET_KEY or the data folder has
now, or a new one in the data folder. Stop every process first. Without --confirm it only shows what is lost:

  passwords of extensions      are new ones: set up every phone again (the API and the console show them)
  secrets of webhooks          are new ones: give them to the receivers
  logins in webhook URLs       are removed: enter the URLs again
  second factors               their apps stop working; users log in with a recovery code and set them up again
                               (without one: user second-factor off); operators too (without one: operator reset)
  links to recordings          sent so far are invalid; recordings that were encrypted cannot be read any more
  mails that were not sent     are removed, as are the answers kept for repeated requests

To change a key that is not lost: secret rotate.`

const names: Record<string, string> = {
  'extensions.password': 'Passwords of extensions',
  'idempotency_keys.answer': 'Answers kept for repeated requests',
  'integrations.secret': 'Secrets of webhooks',
  'integrations.old_secret': 'Earlier secrets of webhooks',
  'integrations.url_login': 'Logins in webhook URLs',
  'mails.body': 'Mails',
  'operators.second_factor': 'Second factors of operators',
  'operators.new_factor': 'Second factors of operators, being set up',
  'second_factors.secret': 'Second factors',
  'stored_keys.key': 'Keys of links, encrypted recordings and calls between nodes',
}

export async function run(config: Config, args: string[]): Promise<number> {
  const options = { confirm: { type: 'boolean', default: false } } as const
  const { values, positionals } = readOptions({ args, options, allowPositionals: true })
  if (positionals.join(' ') !== 'reset') throw new UsageError('The only command is `key reset`.')
  const store = await openStore(config, createLog('error'))
  const keyReset = createKeyReset({
    db: store.db,
    keys: createSecretKeys(config),
    replacements: {
      'extension password': () => randomBase62(20),
      'webhook secret': makeWebhookSecret,
      'second factor': () => randomBytes(20).toString('hex'),
    },
  })
  try {
    for (const lost of await keyReset.reset(values.confirm)) say(describe(lost))
    say(
      values.confirm
        ? '\nThe database has its new key: the service can be started. Make a backup of the key.'
        : '\nNothing was changed. If the key is lost for good, run it again with --confirm.',
    )
    return values.confirm ? 0 : 1
  } finally {
    await store.close()
  }
}

function describe({ table, column, count }: LostValues): string {
  const name = `${table}.${column}`
  return `${names[name] ?? name}: ${count} lost.`
}
