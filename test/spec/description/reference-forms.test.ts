/** D540: the reference as Markdown, its sections, llms.txt and the collection of Postman: complete, linked and served offline. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { anchorsOf } from '../../../tools/decision-pages.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let description: ApiDocument
beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

async function load(path: string) {
  const answer = await fetch(`${service.url}${path}`)
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

const operations = () =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      tags: operation.tags,
    })),
  )
const headings = (text: string) => [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
const sectionFile = (tag: string) => `/docs/${tag.toLowerCase().replaceAll(' ', '-')}.md`

function deadAnchors(text: string): string[] {
  const anchors = new Set(anchorsOf(text))
  return [...text.matchAll(/\]\(#([^)]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !anchors.has(link))
}

describe('the reference as Markdown', () => {
  test('has every operation, webhook, record and error code, and links that lead to a heading', async () => {
    const { status, type, text } = await load('/docs.md')
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    const names = [
      ...operations().map(({ name }) => name),
      ...Object.keys(description.webhooks),
      ...Object.keys(description.components.schemas),
    ]
    expect(names.filter((name) => !headings(text).includes(name))).toEqual([])
    const codes = description.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? []
    expect(codes.filter((code) => !text.includes(`| \`${code}\` |`))).toEqual([])
    expect(deadAnchors(text)).toEqual([])
  })

  test('shows an operation with its parameters, body, command line, answer and codes', async () => {
    const { text } = await load('/docs.md')
    const [, place = ''] = /^(### POST \/calls\n[\s\S]+?)(?=^### )/m.exec(text) ?? []
    expect(place).toContain('| `called` | string | yes |')
    expect(place).toContain(`curl -X POST ${service.url}/api/v1/calls`)
    expect(place).toContain('Answer 200: [PlacedCall](#placedcall), as application/json')
    expect(place).toContain('402 `INSUFFICIENT_CREDIT`')
    const [, list = ''] = /^(### GET \/calls\n[\s\S]+?)(?=^### )/m.exec(text) ?? []
    expect(list).toMatch(/^\| `page` \| query \| integer \| no \|/m)
    expect(list).toMatch(/^text\/csv:\n\n```\nid,domain,call_type,/m)
    expect(list).toContain('page of [ListedCall](#listedcall), as application/json, text/csv')
  })

  test('has a page for each section, with its operations and the records that they refer to', async () => {
    for (const { name } of description.tags) {
      const { status, text } = await load(sectionFile(name))
      expect([name, status, deadAnchors(text)]).toEqual([name, 200, []])
      const own = operations().filter(({ tags }) => tags.includes(name))
      const shown = headings(text).filter((heading) => heading.includes(' /'))
      expect(shown.toSorted()).toEqual(own.map((operation) => operation.name).toSorted())
    }
    const { text: webhooks } = await load(sectionFile('Webhooks'))
    expect(headings(webhooks)).toEqual(
      expect.arrayContaining([...Object.keys(description.webhooks), 'CallEvent']),
    )
  })
})

test('llms.txt names the service, describes each guide by a whole sentence, and every link in it is served as text', async () => {
  const { status, type, text } = await load('/llms.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(/^# Ramal API\n\n> \S.+\n/)
  const [, guides = ''] = /^## Guides\n\n([\s\S]+?)\n\n##/m.exec(text) ?? []
  expect(guides.split('\n').filter((line) => !/^- \[.+?\]\(\S+\): \S.*\.$/.test(line))).toEqual([])
  const links = [...text.matchAll(/^- \[.+?\]\((\S+?)\): \S/gm)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(description.tags.length + 20)
  for (const link of links) {
    expect(link.startsWith(service.url), link).toBe(true)
    expect((await load(link.slice(service.url.length))).status, link).toBe(200)
  }
})

test('the page links to its other forms, and none of them to anything outside', async () => {
  const { text: page } = await load('/docs/en/reference')
  for (const path of ['/api/v1/openapi.json', '/docs/postman.json', 'reference.md'])
    expect(page).toContain(`href="${path}"`)
  for (const path of ['/docs.md', '/llms.txt']) {
    const { text } = await load(path)
    const targets = [...text.matchAll(/\]\((https?:[^)]+)\)/g)].map(([, target = '']) => target)
    expect(targets.filter((target) => !target.startsWith(service.url))).toEqual([])
    expect(text.match(/\bD\d{2,}\b/g)).toBe(null)
  }
})

type Item = {
  name: string
  event?: { script: { exec: string[] } }[]
  request: {
    method: string
    auth?: { type: string }
    header: { key: string; value: string; disabled?: boolean }[]
    url: { raw: string; host: string[]; path: string[]; query: Pair[]; variable: Pair[] }
    body?: { mode: string; raw: string }
  }
  response: { code: number; body: string }[]
}
type Pair = { key: string; value: string; disabled?: boolean }

describe('the collection of Postman', () => {
  let collection: { info: { schema: string }; variable: Pair[]; item: { name: string; item: Item[] }[] }
  let items: Item[]
  beforeAll(async () => {
    collection = JSON.parse((await load('/docs/postman.json')).text)
    items = collection.item.flatMap(({ item }) => item)
  })

  /** As Postman sends it: variables of the path and of the collection are filled in. */
  function send({ request }: Item, token: string) {
    const values = Object.fromEntries(collection.variable.map(({ key, value }) => [`{{${key}}}`, value]))
    const variables = new Map(request.url.variable.map(({ key, value }) => [`:${key}`, value]))
    const path = request.url.path.map((part) => variables.get(part) ?? part)
    const query = new URLSearchParams()
    for (const { key, value, disabled } of request.url.query) if (!disabled) query.set(key, value)
    const base = request.url.host.map((part) => values[part] ?? part).join('.')
    const headers = request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value])
    return fetch(`${base}/${path.join('/')}${query.size > 0 ? `?${query}` : ''}`, {
      method: request.method,
      headers: {
        ...Object.fromEntries(headers),
        ...(request.auth?.type !== 'noauth' && { authorization: token }),
      },
      ...(request.body && { body: request.body.raw }),
    })
  }

  test('has every operation, by section, in the format 2.1', () => {
    expect(collection.info.schema).toMatch(/\/collection\/v2\.1\.0\//)
    expect(items.map(({ name }) => name).toSorted()).toEqual(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    )
    const base = collection.variable.find(({ key }) => key === 'baseUrl')?.value
    expect(base).toBe(`${service.url}/api/v1`)
  })

  test('every request in it reaches its operation: none is malformed, misplaced or refused for its shape', async () => {
    const admin = await openAccount(service)
    const ends = ({ name }: Item) => Number(/logout|DELETE \/users\/accessTokens$/.test(name))
    const results = new Map<string, string>()
    for (const item of items.toSorted((a, b) => ends(a) - ends(b))) {
      const answer = await send(item, admin.token)
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
      const text = isStream ? '' : await answer.text()
      if (isStream) await answer.body?.cancel()
      const code = text.startsWith('{"error"') ? JSON.parse(text).error.code : ''
      results.set(item.name, `${answer.status} ${code}`.trim())
    }
    const wrong =
      /ROUTE_NOT_FOUND|METHOD_NOT_ALLOWED|MALFORMED|UNSUPPORTED|INVALID_PARAMETER|AUTHORIZATION_REQUIRED|INTERNAL/
    expect([...results].filter(([, result]) => wrong.test(result))).toEqual([])
    expect([...results.values()].filter((result) => result.startsWith('2')).length).toBeGreaterThan(40)
  })

  test('logging in keeps the token that the other requests are sent with', () => {
    const login = items.find(({ name }) => name === 'POST /users/login')
    const set: Record<string, string> = {}
    const pm = {
      response: { code: 200, json: () => JSON.parse(login?.response[0]?.body ?? '{}') },
      collectionVariables: { set: (name: string, value: string) => Object.assign(set, { [name]: value }) },
    }
    new Function('pm', login?.event?.[0]?.script.exec.join('\n') ?? '')(pm)
    expect(set.token).toMatch(/^\w{64}$/)
  })
})
