// A power dialer's round with the TypeScript client, against the running service; prints what it saw as JSON.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ExtensionNotRegisteredError, Ramal } from '@ramal/client'

const { RAMAL_URL, EMAIL, PASSWORD, RECOVERY_CODE, HOOK } = process.env
const ramal = new Ramal({ baseUrl: RAMAL_URL })
await ramal.login({ email: EMAIL, password: PASSWORD, code: () => RECOVERY_CODE })

const integration = await ramal.integrations.save({
  gateway: 'dialer',
  webhook: true,
  webhookConstraint: { campaign: 'spring' },
  metadata: { webhookUrl: HOOK, webhookTypes: ['channel-hangup', 'recording-ready'] },
})
const { id } = await ramal.calls.place({
  extension: '1000',
  called: '+55 48 99999-0102',
  metadata: { lead: 8, campaign: 'spring' },
})
const seen = []
let cursor
for await (const event of ramal.events.follow({ pollInterval: 200, idleTimeout: 60_000 })) {
  cursor = event.cursor
  if (event.id === id) seen.push(event.eventType)
  if (event.id === id && event.eventType === 'recording-ready') break
}
const later = []
for await (const event of ramal.events.list({ after: cursor })) later.push(event)

const calls = []
for await (const call of ramal.calls.list({ where: { 'metadata.lead': 8 } })) calls.push(call)
const none = []
for await (const call of ramal.calls.list({ where: { 'metadata.lead': 9 } })) none.push(call)

const file = createWriteStream('call.wav')
await finished(Readable.fromWeb((await ramal.calls.recording(id)).body).pipe(file))
const mono = await (await ramal.calls.recording(id, { channels: 1 })).arrayBuffer()
const ogg = await (await ramal.calls.recording(id, { format: 'ogg' })).arrayBuffer()

const other = await ramal.extensions.createNext({
  senha: 'a secret of hers',
  first_name: 'Bia',
  last_name: 'Lima',
  email_address: EMAIL,
})
const refusal = await ramal.calls.place({ extension: other.ramal, called: '190' }).catch((error) => error)
await ramal.logout()
const isLoggedOut = await ramal.users.me().catch(({ errorCode }) => errorCode)

process.stdout.write(
  JSON.stringify({
    id,
    secret: integration.secret,
    seen,
    later,
    calls: calls.map((call) => [call.id, call.status, call.metadata]),
    none,
    monoBytes: mono.byteLength,
    ogg: Buffer.from(ogg).toString('latin1', 0, 4),
    refused: refusal instanceof ExtensionNotRegisteredError && typeof refusal.requestId === 'string',
    isLoggedOut,
  }),
)
