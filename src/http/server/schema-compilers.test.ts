import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createSchemaCompilers } from './schema-compilers.ts'

/** Counts how often a schema is read, which compiling it does and a request does not. */
function watch<T extends object>(schema: T) {
  let reads = 0
  const watched = new Proxy(schema, {
    get(target, name, receiver) {
      if (name === 'properties') reads += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { schema: watched, reads: () => reads }
}

test('D341: a schema is compiled with the first request of its route, once', async () => {
  const body = watch({ type: 'object', properties: { name: { type: 'string' } } })
  const compilersFactory = createSchemaCompilers()
  const server = Fastify({ schemaController: { compilersFactory } })
  onTestFinished(() => server.close())
  server.post('/', { schema: { body: body.schema } }, async () => 'done')
  await server.ready()
  const before = body.reads()
  const post = (payload: object) => server.inject({ method: 'POST', url: '/', payload })
  expect((await post({ name: 'Ana' })).statusCode).toBe(200)
  const after = body.reads()
  expect(after).toBeGreaterThan(before)
  expect((await post({ name: {} })).json().message).toBe('body/name must be string')
  expect(body.reads()).toBe(after)
})

test('D341: an answer has the fields of its schema, also the second one', async () => {
  const response = { 200: { type: 'object', properties: { name: { type: 'string' } } } }
  const server = Fastify({ schemaController: { compilersFactory: createSchemaCompilers() } })
  onTestFinished(() => server.close())
  server.get('/', { schema: { response } }, async () => ({ name: 'Ana', secret: 'x' }))
  for (let n = 0; n < 2; n += 1) {
    expect((await server.inject('/')).body).toBe('{"name":"Ana"}')
  }
})
