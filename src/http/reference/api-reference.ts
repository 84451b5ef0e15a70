/** The API's description as JSON, and as pages to browse that need nothing from outside. */
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type AnyEntry, entry } from '../entry.ts'
import { describeApi } from './openapi.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The entries, and one more that describes them all, itself included. */
export function withDescription(entries: AnyEntry[], publicUrl: () => string): AnyEntry[] {
  const all: AnyEntry[] = [
    ...entries,
    entry({
      method: 'GET',
      path: '/openapi.json',
      tag: 'Description',
      about: 'This description',
      may: 'anyone',
      limit: 'other',
      reply: Type.Object({}, { additionalProperties: true }),
      run: async () => describeApi(all, { version, publicUrl: publicUrl() }),
    }),
  ]
  return all
}

export async function addApiReference(server: FastifyInstance, entries: AnyEntry[], publicUrl: string) {
  const document = describeApi(entries, { version, publicUrl })
  await server.register(swagger, { mode: 'static', specification: { document: document as never } })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, docExpansion: 'list', persistAuthorization: true },
    theme: { title: 'Ramal API', css: [{ filename: 'ramal.css', content: '.topbar { display: none }' }] },
  })
}
