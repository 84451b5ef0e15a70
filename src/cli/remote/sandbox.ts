/** `sandbox`: everything to try the API with: an account, a token, an extension, and numbers that do things (D572). */
import type { Extension, Ramal, Session } from '../../../clients/typescript/src/index.ts'
import { scenarios } from '../../engine/sandbox/scenarios.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { command } from '../../kit/process/command.ts'
import { complain, say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { findOwnOperatorToken, ownUrl } from './own-service.ts'
import {
  explainFailure,
  findToken,
  openRemote,
  readUrl,
  remoteOptions,
  remoteUsage,
} from './remote-service.ts'
import { openTrialAccount } from './trial-account.ts'

export const usage = `Usage: ${command} sandbox [options]

Prints an account, a token, an extension with its password, and the numbers that do things on the sandbox carrier. With a
token that is its account; an ADMIN without an extension gets one. Without a token it signs up a new account, which it
confirms in the development mailbox: that opens with the operator token. Of a service on this machine it finds both: its
port is PORT, and its operator token is in the file operator-token of DATA_DIR (./data).

${remoteUsage}
  --operator-token <token>   or RAMAL_OPERATOR_TOKEN; for a service elsewhere, or one with another DATA_DIR
  --domain <name><suffix>    of the new account (sandbox-<random>.ramal.localhost)
  --json                     one JSON object`

type Ready = {
  url: string
  token: string
  session: Session
  extension: Extension | undefined
  sip: string | undefined
}

export async function runRemote(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  const { values } = readOptions({
    args,
    options: {
      ...remoteOptions,
      'operator-token': { type: 'string' },
      domain: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const url = readUrl(values, env, ownUrl(env))
  try {
    const given = findToken(values, env)
    const named = values['operator-token'] ?? (env.RAMAL_OPERATOR_TOKEN || undefined)
    const operator = named ? { token: named, source: 'the one you gave' } : findOwnOperatorToken(url, env)
    const token = given ?? (await openTrialAccount({ url, operator, domain: values.domain }))
    const ready = await prepare(url, token)
    if (values.json) say(JSON.stringify(describe(ready), null, 2))
    else print(ready, given === undefined)
    return 0
  } catch (error) {
    throw error instanceof UsageError ? error : explainFailure(error, url)
  }
}

async function prepare(url: string, token: string): Promise<Ready> {
  const ramal = openRemote({ url, token })
  const session = await ramal.request('GET', '/console/session')
  const [extension, sip] = await Promise.all([findExtension(ramal, session), findSip(url)])
  return { url, token, session, extension, sip }
}

/** The user's own, or any with a password to be seen, or a new one. Undefined if the token may not make one. */
async function findExtension(ramal: Ramal, { user }: Session): Promise<Extension | undefined> {
  const usable = (await ramal.extensions.list()).filter(({ senha }) => senha !== null)
  const found = usable.find(({ user_uuid }) => user_uuid === user.uuid) ?? usable[0]
  if (found || user.role !== 'ADMIN') return found
  return await ramal.extensions.createNext({
    senha: randomBase62(20),
    first_name: 'Sandbox',
    last_name: 'Phone',
    email_address: user.email,
    gravar_audio: 1,
  })
}

/** Where phones register; undefined if the service does not say. */
async function findSip(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/addresses`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  )
  const addresses = response?.ok ? Object(await response.json()) : {}
  return typeof addresses.SIP === 'string' ? addresses.SIP : undefined
}

const numberOf = (ending: string) => `+55 48 99999-${ending}`

/** D119: an ending with `n` stands for several. */
const numbers = scenarios.map(({ ending, about }) => ({ number: numberOf(ending), about }))

function describe({ url, token, session, extension, sip }: Ready) {
  const { account, user, balance, features } = session
  return {
    url,
    token,
    account: { domain: account.domain, name: account.name },
    user: { email: user.email, role: user.role },
    balance: balance?.available ?? null,
    extension: extension ? { number: extension.ramal, password: extension.senha, sip: sip ?? null } : null,
    sandboxCarrier: features.sandboxCarrier,
    numbers: features.sandboxCarrier ? numbers : [],
  }
}

function print(ready: Ready, isNew: boolean) {
  const { url, token, session, extension, sip } = ready
  const { account, user, balance } = session
  say(`Service    ${url}, API at ${url}/api/v1`)
  say(`Account    ${account.domain} (${account.name})`)
  say(`User       ${user.email} (${user.role})`)
  say(`Token      ${isNew ? token : 'the one you gave'}`)
  if (balance) say(`Credit     R$ ${balance.available.toFixed(2)}`)
  if (extension) {
    say(
      `Extension  ${extension.ramal}@${account.domain}, password ${extension.senha}${sip ? `, SIP ${sip}` : ''}`,
    )
  } else complain('There is no extension that this token may use: ask an ADMIN of the account.')
  if (!session.features.sandboxCarrier) {
    say('\nThis service has a carrier: every call is real, and costs.')
    return
  }
  say('\nNo call leaves the service. Numbers, by their last four digits:')
  for (const { number, about } of numbers) say(`  ${number}  ${about}`)
  if (extension) printNext(ready, extension)
}

function printNext({ url, token, session: { account } }: Ready, { ramal, senha }: Extension) {
  say(`
A phone, in another terminal:
  RAMAL_PASSWORD='${senha}' ${command} phone --api ${url} --extension ${ramal}@${account.domain} --answer auto

A call:
  export RAMAL_URL=${url} RAMAL_TOKEN=${token}
  curl $RAMAL_URL/api/v1/calls -H "Authorization: $RAMAL_TOKEN" -H 'Content-Type: application/json' \\
    -d '{"extension": "${ramal}", "called": "+5548999990108"}'

Its events, at your receiver:
  ${command} listen --forward-to http://localhost:4000/hook`)
}
