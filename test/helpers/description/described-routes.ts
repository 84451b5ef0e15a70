/** Every route of the API, read from the description that the service gives of itself. */
import type { Service } from '../service/service.ts'

export type DescribedSchema = {
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  anyOf?: DescribedSchema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, DescribedSchema>
}

export type DescribedRoute = {
  method: string
  /** With ids in place of the parameters. */
  path: string
  body: DescribedSchema | undefined
  example: Record<string, unknown> | undefined
}

const someId = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'

export async function describedRoutes({ api }: Service): Promise<DescribedRoute[]> {
  const { body: document } = await api.get('/openapi.json')
  const resolve = (schema: { $ref?: string } | undefined) =>
    schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  const routes = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const content = (
        operation as { requestBody?: { content: Record<string, { schema: object; example: never }> } }
      ).requestBody?.content['application/json']
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, someId),
        body: resolve(content?.schema),
        example: content?.example,
      }
    }),
  ) // Last, as it ends the token that the others are sent with.
  const endsToken = ({ path }: DescribedRoute) => Number(path === '/users/logout')
  return routes.sort((a, b) => endsToken(a) - endsToken(b))
}
