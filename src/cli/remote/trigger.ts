/** `trigger`: an event that never happened, sent to a receiver on this machine as a webhook (D570). */
import { type EventType, webhookTypes } from '../../contract/webhooks/events.ts'
import { makeUpEvent } from '../../http/reference/examples/made-up-event.ts'
import { command } from '../../kit/process/command.ts'
import { complain, say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import {
  createForwarder,
  describeDelivery,
  isAccepted,
  type Receiver,
  readReceiver,
  receiverOptions,
  receiverUsage,
} from './local-receiver.ts'
import { findToken, remoteOptions } from './remote-service.ts'

const triggered: readonly EventType[] = [...webhookTypes, 'test']

export const usage = `Usage: ${command} trigger <type> [options]

Sends your receiver an event that never happened, with the times of now, signed as a webhook. Asks no service.
Your receiver must know the secret: give --secret or --token, otherwise one is made up and printed.

${receiverUsage}
  --token <token>        whose secret signs it, or RAMAL_TOKEN
  --metadata <json>      of the call, in place of the example
  --print                prints the body, too

Types: ${triggered.join(', ')}.`

export async function runRemote(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  const { values, positionals } = readOptions({
    args,
    allowPositionals: true,
    options: {
      ...receiverOptions,
      token: remoteOptions.token,
      metadata: { type: 'string' },
      print: { type: 'boolean', default: false },
    },
  })
  const type = readType(positionals)
  const receiver = readReceiver(values, env, findToken(values, env))
  const event = makeUpEvent(type, new Date(), readMetadata(values.metadata))
  const body = JSON.stringify(event)
  complain(describeSecret(receiver))
  const forwarder = createForwarder(receiver)
  try {
    const delivered = { type, id: event.id, sequence: event.sequence, body }
    const result = await forwarder.send(delivered)
    say(describeDelivery(delivered, result, new Date()))
    if (values.print) say(JSON.stringify(event, null, 2))
    if (result.status === null) complain(`Nothing takes events at ${receiver.shown}: start your receiver.`)
    return isAccepted(result) ? 0 : 1
  } finally {
    await forwarder.close()
  }
}

/** Before the answer of the receiver, which may be that it knows another secret. */
function describeSecret({ secret, isMadeUp }: Receiver): string {
  if (!isMadeUp) return `Secret of the signature: ${secret}`
  return `Signed with a secret made up just now: give your receiver ${secret} and repeat with --secret ${secret}, or name with --secret the one that it has.`
}

function readType([word, ...others]: string[]): EventType {
  const type = triggered.find((known) => known === word)
  if (type === undefined || others.length > 0)
    throw new UsageError(`Name one type of event: ${triggered.join(', ')}.`)
  return type
}

function readMetadata(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return text
  } catch {
    // Refused below.
  }
  throw new UsageError(`--metadata is a JSON object, such as '{"lead": 7}'.`)
}
