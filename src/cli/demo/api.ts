/** A client of the API that prints every request and the status of its response. */
import { defined } from '../../kit/defined.ts'

type Body = Record<string, unknown>

export function createApi(url: string, note: (source: string, text: string) => void) {
  let token: string | undefined

  async function request(method: string, path: string, body?: Body, { quiet = false } = {}): Promise<Body> {
    const began = performance.now()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...defined({ authorization: token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const line = `${method} ${path}`
    const ms = Math.round(performance.now() - began)
    if (!quiet) note('api', `${line.padEnd(24)} ${response.status}, ${ms} ms`)
    if (!response.ok) throw new Error(`${line} was answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }

  async function fetchOk(address: string, method = 'GET'): Promise<Response> {
    const response = await fetch(address, { method })
    if (!response.ok) throw new Error(`${address} was answered ${response.status}`)
    return response
  }

  return {
    request,
    authorize(accessToken: string) {
      token = accessToken
    },
    /** The HTML of a page. */
    read: async (address: string) => await (await fetchOk(address)).text(),
    /** Sends the form of a page that has only a button. */
    press: async (address: string) => await (await fetchOk(address, 'POST')).text(),
    download: async (address: string) => Buffer.from(await (await fetchOk(address)).arrayBuffer()),
  }
}
