/** The status of an answer to a request with any header: `fetch` sets Host itself. */
import { request } from 'node:http'

export function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject).end()
  })
}
