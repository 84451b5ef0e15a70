/** The parts of an OpenAPI 3.1 document that this service writes. */
export type Json = Record<string, unknown>

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  pattern?: string
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}

export type Example = { $ref?: string; value?: unknown }

export type Media = { schema: Schema; example?: unknown; examples?: Record<string, Example> }

export type Content = Record<string, Media>

export type Parameter = {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  schema: Schema
  example?: unknown
}

export type Response = { $ref?: string; description: string; headers?: Json; content?: Content }

export type Operation = {
  operationId: string
  summary: string
  description?: string | undefined
  tags: string[]
  deprecated?: true | undefined
  /** With the roles that may send it, if not all of them may. */
  security?: Json[] | undefined
  /** D204: any of these is enough for a limited token; absent where every token is. */
  'x-scopes'?: readonly string[] | undefined
  parameters?: Parameter[] | undefined
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response>
}

/** Operations by method, in lower case. */
export type PathItem = Record<string, Operation>

export type ApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; license: Json }
  servers: { url: string }[]
  externalDocs: { description: string; url: string }
  security: Json[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    examples: Record<string, Example>
    headers: Json
    securitySchemes: Json
  }
}
