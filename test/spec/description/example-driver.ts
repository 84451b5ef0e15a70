/** Sends the examples of the API description, and keeps which operations have answered with a success. */
import { expect } from 'vitest'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { exampleOfBody } from '../../helpers/description/api-description.ts'
import type { Answer, createClient } from '../../helpers/service/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any

type Change = {
  ids?: Record<string, unknown>
  query?: Record<string, string>
  /** In place of the example, or with some fields of it changed. */
  body?: Wire
  headers?: Record<string, string>
  /** Null: none. */
  token?: string | null
}

export function createExampleDriver(api: ReturnType<typeof createClient>, description: ApiDocument) {
  const succeeded = new Set<string>()
  let ownToken: string | undefined

  const operationOf = (route: string) => {
    const [method = '', path = ''] = route.split(' ')
    const operation = description.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`${route} is not described`)
    return { method, path, operation }
  }

  const bodyOf = (route: string): Wire =>
    exampleOfBody(description, operationOf(route).operation.requestBody?.content)

  /** The client of the tests compares the answer with the description. */
  async function send(
    route: string,
    { ids = {}, query, body, headers, token = ownToken }: Change = {},
  ): Promise<Answer> {
    const { method, path } = operationOf(route)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
    const address = query ? `${filled}?${new URLSearchParams(query)}` : filled
    const sent = body === undefined ? bodyOf(route) : { ...bodyOf(route), ...body }
    const answer = await api.send(method, address, sent, {
      token: token ?? undefined,
      ...(headers && { headers }),
    })
    expect([route, answer.status, answer.body.error], route).toMatchObject([
      route,
      expect.any(Number),
      undefined,
    ])
    expect(answer.status, route).toBeLessThan(300)
    succeeded.add(route)
    return answer
  }

  return {
    bodyOf,
    send,
    /** The body of the answer. */
    ask: async (route: string, change?: Change): Promise<Wire> => (await send(route, change)).body,
    /** For those that the client cannot send. */
    mark: (route: string) => succeeded.add(operationOf(route) && route),
    useToken(token: string) {
      ownToken = token
    },
    missing: () =>
      Object.entries(description.paths)
        .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
        .filter((route) => !succeeded.has(route)),
  }
}
