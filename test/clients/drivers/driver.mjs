// Runs the shared cases with the TypeScript client: node driver.mjs < cases > outcomes. Seconds become milliseconds here.
import { text } from 'node:stream/consumers'
import { ApiError, Ramal, RamalError, webhooks } from '@ramal/client'

const collect = async (rows, take = Number.POSITIVE_INFINITY) => {
  const all = []
  for await (const row of rows) if (all.push(row) >= take) break
  return all
}
const ms = (seconds) => (seconds === undefined ? undefined : seconds * 1000)
const given = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const operations = {
  'users.me': (ramal) => ramal.users.me(),
  request: (ramal, { method, path, body }) => ramal.request(method, path, given({ body })),
  login: (ramal, { ask, ...rest }) => ramal.login(given({ ...rest, code: ask ? () => ask : rest.code })),
  logout: (ramal) => ramal.logout(),
  'calls.place': (ramal, { idempotencyKey, allowDuplicate, ...call }) =>
    ramal.calls.place(call, given({ idempotencyKey, allowDuplicate })),
  'calls.get': (ramal, { id }) => ramal.calls.get(id),
  'calls.waitForEnd': (ramal, { id, pollInterval, timeout }) =>
    ramal.calls.waitForEnd(id, given({ pollInterval: ms(pollInterval), timeout: ms(timeout) })),
  'calls.waitForEnds': (ramal, { ids, pollInterval }) =>
    collect(ramal.calls.waitForEnds(ids, { pollInterval: ms(pollInterval) })),
  'calls.list': (ramal, { filter, take }) => collect(ramal.calls.list(filter), take),
  'calls.page': (ramal, options) => ramal.calls.page(options),
  'calls.updates': (ramal, options) => collect(ramal.calls.updates(options)),
  'charges.updates': (ramal, options) => collect(ramal.charges.updates(options)),
  'extensions.updates': (ramal, options) => collect(ramal.extensions.updates(options)),
  'calls.hangup': (ramal, { id }) => ramal.calls.hangup(id),
  'calls.sendKeys': (ramal, { id, digits }) => ramal.calls.sendKeys(id, digits),
  'calls.transfer': (ramal, { id, to }) => ramal.calls.transfer(id, to),
  'calls.recording': async (ramal, { id, ...options }) => {
    const chunks = []
    const { body } = await ramal.calls.recording(id, options)
    for await (const chunk of body) chunks.push(chunk)
    return { base64: Buffer.concat(chunks).toString('base64') }
  },
  'charges.list': (ramal) => collect(ramal.charges.list()),
  'extensions.list': (ramal, { filter }) => ramal.extensions.list(filter),
  'extensions.create': (ramal, body) => ramal.extensions.create(body),
  'integrations.save': (ramal, body) => ramal.integrations.save(body),
  'events.list': (ramal, options) => collect(ramal.events.list(options)),
  'events.follow': (ramal, { take, pollInterval, idleTimeout, after }) => {
    const times = { pollInterval: ms(pollInterval), idleTimeout: ms(idleTimeout) }
    return collect(ramal.events.follow({ ...times, after }), take)
  },
  'webhooks.verify': (_ramal, { body, headers, secret, now }) =>
    webhooks.verify(typeof body === 'string' ? Buffer.from(body) : body, headers, secret, { now }),
}

const facts = [
  'status',
  'errorCode',
  'requestId',
  'reason',
  'localizedReason',
  'retryAfter',
  'callId',
  'fields',
]

function describe(error) {
  if (error instanceof TypeError) return { class: 'Argument', message: error.message }
  if (!(error instanceof RamalError)) return { class: error.name, message: String(error.stack) }
  const classes = []
  for (let type = error.constructor; type !== Error; type = Object.getPrototypeOf(type))
    classes.push(type.name.replace(/Error$/, ''))
  const known = Object.fromEntries(facts.map((name) => [name, error[name] ?? null]))
  return { class: classes[0], classes, message: error.message, isApi: error instanceof ApiError, ...known }
}

async function run({ baseUrl, options, steps }) {
  const { token = null, timeout, maxRetries, retryDelay, maxRetryWait, headers } = options
  const ramal = new Ramal(
    given({
      baseUrl,
      token: token ?? undefined,
      timeout: ms(timeout),
      maxRetries,
      retryDelay: ms(retryDelay),
      maxRetryWait: ms(maxRetryWait),
      headers,
    }),
  )
  let result
  for (const [operation, args = {}] of steps) result = await operations[operation](ramal, args)
  return result ?? null
}

const outcomes = []
for (const one of JSON.parse(await text(process.stdin)))
  outcomes.push(
    await run(one).then(
      (result) => ({ result }),
      (error) => ({ error: describe(error) }),
    ),
  )
process.stdout.write(JSON.stringify(outcomes))
