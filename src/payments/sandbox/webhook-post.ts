/** The requests by which the sandbox sends its events to our webhook. */
import type { Agent } from 'undici'
import type { TlsTrust } from '../../kit/process/tls-files.ts'

const timeoutMs = 10_000

type Options = { url: () => string; trust: (() => TlsTrust | undefined) | undefined }

export function createWebhookPost({ url, trust }: Options) {
  /** With the certificate that it trusts. */
  let pinned: { ca: string; agent: Agent } | undefined

  /** Undefined: certificates are verified as usual. After a renewal there is a new one. */
  function choose(NewAgent: typeof Agent): Agent | undefined {
    const connect = trust?.()
    if (!connect) return undefined
    if (pinned?.ca !== connect.ca) {
      void pinned?.agent.close()
      pinned = { ca: connect.ca, agent: new NewAgent({ connect }) }
    }
    return pinned?.agent
  }

  /** Returns the problem, or undefined if the event was accepted. */
  async function post(headers: Record<string, string>, body: string): Promise<string | undefined> {
    try {
      // Loaded with the first event: a process without payments saves the memory of the HTTP client.
      const { Agent: NewAgent, request } = await import('undici')
      const signal = AbortSignal.timeout(timeoutMs)
      const dispatcher = choose(NewAgent)
      const answer = await request(url(), {
        method: 'POST',
        headers,
        body,
        signal,
        ...(dispatcher && { dispatcher }),
      })
      await answer.body.dump({ limit: 4096, signal })
      return answer.statusCode === 200 ? undefined : `answered ${answer.statusCode}`
    } catch (error) {
      return error instanceof Error ? error.message || error.name : String(error)
    }
  }

  return { post, close: async () => await pinned?.agent.close() }
}
