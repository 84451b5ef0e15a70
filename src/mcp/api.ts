/** The API as tools use it: over HTTP, or within the process that serves it. */
export type ApiRequest = {
  method: 'GET' | 'POST'
  /** Below `/api/v1`. */
  path: string
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
}

type ApiAnswer = { status: number; body: unknown }

export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>

/** The API refused. The model gets the reason and can correct its request. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal'
}

/** The body of a success; throws an ApiRefusal otherwise. */
export async function ask<T>(callApi: CallApi, request: ApiRequest): Promise<T> {
  const { status, body } = await callApi(request)
  if (status >= 200 && status < 300) return body as T
  const { error } = Object(body) as { error?: { errorCode?: string; message?: string } }
  throw new ApiRefusal(
    `${error?.message ?? `The service answered ${status}.`} (${error?.errorCode ?? status})`,
  )
}

export function pathWithQuery({ path, query = {} }: ApiRequest): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}
