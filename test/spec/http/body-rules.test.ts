/** D61, D101: what every body of the API does with fields that break their rules, and with fields nobody knows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DescribedRoute,
  type DescribedSchema,
  describedRoutes,
} from '../../helpers/description/described-routes.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let strict: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let routes: DescribedRoute[]

beforeAll(async () => {
  service = await startService()
  strict = await startService({ STRICT_BODIES: 'true' })
  admin = await openAccount(service)
  routes = await describedRoutes(service)
})
afterAll(async () => {
  await service.stop()
  await strict.stop()
})

/** Texts of the validator, regular expressions, and names of our types. */
const raw =
  /must NOT|must match|anyOf|schema|must be (string|integer|number|boolean|object|array|null)\b|equal to|allowed values|[\^\\]|\b(New|Next)[A-Z]|[a-z]Patch|undefined/

const wrong = [null, true, 12.5, -1, '', '!', 'x'.repeat(3000), ['x'], { a: 1 }]

/** One body for each field and wrong value, and bodies that are wrong as a whole. */
function wrongBodies(body: DescribedSchema, example: Record<string, unknown> | undefined): unknown[] {
  const fields = Object.keys(body.properties ?? {})
  return [
    [],
    'text',
    7,
    {},
    ...fields.flatMap((field) => wrong.map((value) => ({ ...example, [field]: value }))),
  ]
}

describe('the problem of a field that breaks its schema says in words what is expected', () => {
  test.each([
    ['en', /^(is|must|already|cannot|was|has)\b/],
    ['pt', /^(é|deve|já|não|foi|tem)(\s|$)/],
  ])(
    'in %s, on every route',
    async (language, sentence) => {
      const options = { token: admin.token, headers: { 'accept-language': language } }
      let refused = 0
      for (const { method, path, body, example } of routes) {
        const sent = body ? wrongBodies(body, example) : []
        const answers = await Promise.all(
          sent.map((wrongBody) => service.api.send(method, path, JSON.stringify(wrongBody), options)),
        )
        for (const [index, answer] of answers.entries()) {
          if (answer.body.error?.code !== 'VALIDATION_FAILED') continue
          const { details, ...error } = answer.body.error
          const message = error.localizedMessage ?? error.message
          const messages = details?.localizedMessages ?? details?.messages
          const what = `${method} ${path} ${JSON.stringify(sent[index]).slice(0, 200)}: ${message}`
          expect(message, what).not.toMatch(raw)
          expect(details?.context, what).not.toMatch(raw)
          for (const text of Object.values<string[]>(messages ?? {}).flat()) {
            expect(text, what).not.toMatch(raw)
            expect(text, what).toMatch(sentence)
          }
          refused += 1
        }
      }
      expect(refused).toBeGreaterThan(300)
    },
    60_000,
  )

  test.each([
    [{ senha: 'short' }, 'senha', 'must be 8 to 64 characters, no control characters'],
    [{ ramal: '1' }, 'ramal', 'must be 2 to 6 digits'],
    [{ bina: 7 }, 'bina', 'must be text of at most 40 characters, or null'],
    [{ gravar_audio: 2 }, 'gravar_audio', 'must be one of 0, 1, true, false'],
    [{ id: 'x' }, 'id', 'must be an id: a whole number, or its digits'],
  ])('%j', async (body, field, sentence) => {
    const { body: answer } = await service.api.patch('/extensions', body, admin)
    expect(answer.error.details.messages[field]).toEqual([sentence])
    expect(answer.error.message).toContain(`The extension is not valid.`)
  })
})

describe('a body that cannot be used as a whole', () => {
  const inPortuguese = { 'accept-language': 'pt-BR' }

  async function refusalOf(body: string | undefined) {
    const options = { token: admin.token, headers: inPortuguese }
    const { error } = (await service.api.post('/calls', body, options)).body
    return [error.errorCode, error.message, error.localizedMessage]
  }

  test.each([
    ['{"called": "1001",}', 1, 19],
    ['{\n  "called": \'1001\'\n}', 2, 13],
  ])('is 400 with the place where %j stops being JSON (D101)', async (body, line, column) => {
    expect(await refusalOf(body)).toEqual([
      'MALFORMED_BODY',
      `The body is not valid JSON: there is an error at line ${line}, column ${column}.`,
      `O corpo da requisição não é um JSON válido: há um erro na linha ${line}, coluna ${column}.`,
    ])
  })

  test('is 400 with its end, if more must follow', async () => {
    expect(await refusalOf('{"called":')).toEqual([
      'MALFORMED_BODY',
      'The body is not valid JSON: it is incomplete, and ends at line 1, column 11.',
      'O corpo da requisição não é um JSON válido: está incompleto e termina na linha 1, coluna 11.',
    ])
  })

  test('is 400 without a place, if it is longer than 64 Ki characters', async () => {
    const [code, message] = await refusalOf(`["${'x'.repeat(65_536)}"`)
    expect([code, message]).toEqual(['MALFORMED_BODY', 'The body is not valid JSON.'])
  })

  test.each([
    [
      undefined,
      'The request has no body: send a JSON object.',
      'A requisição veio sem corpo: envie um objeto JSON.',
    ],
    [
      '[1]',
      'The body of the request must be a JSON object.',
      'O corpo da requisição deve ser um objeto JSON.',
    ],
    [
      'null',
      'The body of the request must be a JSON object.',
      'O corpo da requisição deve ser um objeto JSON.',
    ],
  ])('is 422 with a sentence about the body: %s', async (body, english, portuguese) => {
    expect(await refusalOf(body)).toEqual(['VALIDATION_FAILED', english, portuguese])
  })
})

describe('a field nobody knows (D61)', () => {
  const unknown = { gravar_audo: 1, 'não é nosso': 2 }

  test('is named in the header Ignored-Fields, on every route', async () => {
    const writing = routes.filter(({ method }) => !['GET', 'HEAD'].includes(method))
    expect(writing.length).toBeGreaterThan(15)
    // One of the routes ends the token.
    const owner = await openAccount(service)
    for (const { method, path } of writing) {
      const { headers } = await service.api.send(method, path, unknown, owner)
      expect(headers.get('ignored-fields'), `${method} ${path}`).toBe(
        'gravar_audo, n%C3%A3o%20%C3%A9%20nosso',
      )
      expect(headers.get('access-control-expose-headers')).toContain('Ignored-Fields')
    }
  })

  test('is named beside a required field that is missing, and not without one', async () => {
    const call = { extension: '1000', to: '48999998888' }
    const { body } = await service.api.post('/calls', call, admin)
    expect(body.error.errorCode).toBe('VALIDATION_FAILED')
    expect(body.error.message).toBe('The call is not valid. `called` is required; `to` is not a known field.')
    expect(body.error.details).toEqual({
      context: 'Call',
      codes: { called: ['presence'], to: ['unknown'] },
      messages: { called: ['is required'], to: ['is not a known field'] },
    })
    const wrong = await service.api.post('/calls', { ...call, called: 7 }, admin)
    expect(Object.keys(wrong.body.error.details.codes)).toEqual(['called'])
  })

  test('is 422 with STRICT_BODIES=true, on every route', async () => {
    const owner = await openAccount(strict)
    for (const { method, path } of await describedRoutes(strict)) {
      if (['GET', 'HEAD'].includes(method)) continue
      const { status, body } = await strict.api.send(method, path, { gravar_audo: 1 }, owner)
      expect([status, body.error.details.messages], `${method} ${path}`).toEqual([
        422,
        { gravar_audo: ['is not a known field'] },
      ])
    }
  })

  test.each([false, true])(
    'is none of the record itself: what was read can be sent back (strict: %s)',
    async (isStrict) => {
      const { api } = isStrict ? strict : service
      const owner = await openAccount(isStrict ? strict : service)
      const extension = {
        ramal: '1000',
        senha: '12345678',
        first_name: 'A',
        last_name: 'B',
        email_address: 'a@b.example',
      }
      await api.post('/extensions', extension, owner)
      await api.patch('/integrations', { gateway: 'crm' }, owner)
      for (const [read, write, method] of [
        ['/users/me', '/users', 'PATCH'],
        ['/accounts', '/accounts', 'PATCH'],
        ['/accounts/financial', '/accounts/financial', 'PUT'],
        ['/extensions', '/extensions', 'PATCH'],
        ['/integrations', '/integrations', 'PATCH'],
      ] as const) {
        const { body } = await api.get(read, owner)
        const record = Array.isArray(body) ? body[0] : body
        const { status, headers } = await api.send(method, write, record, owner)
        expect([status, headers.get('ignored-fields')], write).toEqual([200, null])
      }
    },
  )

  test('and one that another route changes is refused with the name of that route', async () => {
    const { status, body } = await service.api.patch('/users', { password: 'another password' }, admin)
    expect([status, body.error.details.messages]).toEqual([
      422,
      { password: ['cannot be changed here; use POST /users/change-password'] },
    ])
  })
})
