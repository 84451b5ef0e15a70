/** A client of the API that shows every question and its answer. */

type Body = Record<string, unknown>

export function createApi(url: string, note: (who: string, what: string) => void) {
  let token: string | undefined

  async function ask(method: string, path: string, body?: Body, { quiet = false } = {}): Promise<Body> {
    const began = performance.now()
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const asked = `${method} ${path}`
    const ms = Math.round(performance.now() - began)
    if (!quiet) note('api', `${asked.padEnd(24)} ${response.status}, ${ms} ms`)
    if (!response.ok) throw new Error(`${asked} was answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }

  async function fetchGood(address: string): Promise<Response> {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${address} was answered ${response.status}`)
    return response
  }

  return {
    ask,
    use(given: string) {
      token = given
    },
    /** A page, as a browser sees it. */
    read: async (address: string) => await (await fetchGood(address)).text(),
    download: async (address: string) => Buffer.from(await (await fetchGood(address)).arrayBuffer()),
  }
}
