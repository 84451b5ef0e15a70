/** Events of the feed with the very text that a webhook would carry: no number is read on the way. */
import { NetworkError, type Ramal, RamalError } from '../../../clients/typescript/src/index.ts'
import { elementTexts, memberText } from '../../kit/text/json-text.ts'

const limit = 100
const timeoutMs = 30_000

export type FeedStart = { after: string } | { since: string }

export type FedEvent = {
  cursor: string
  type: string
  id: string
  sequence: number
  /** The body of the webhook. */
  body: string
}

export type FeedPage = { events: FedEvent[]; cursor: string; more: boolean }

/** Later than every event: the answer has none, and the cursor of the end. */
export const endOfFeed: FeedStart = { since: '9999-01-01T00:00:00Z' }

export async function readFeed(ramal: Ramal, start: FeedStart, stop: AbortSignal): Promise<FeedPage> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await ramal.stream('GET', '/events', { query: { ...start, limit }, signal })
    return parsePage(await response.text())
  } catch (error) {
    if (error instanceof RamalError || stop.aborted) throw error
    // The time-out, or a connection that broke within the body.
    throw new NetworkError(`GET /events: ${(error as Error).message}`, { cause: error })
  }
}

export function parsePage(text: string): FeedPage {
  const { cursor, more } = JSON.parse(text)
  return { events: elementTexts(memberText(text, 'data') ?? '[]').map(readEvent), cursor, more }
}

/** The cursor is the first member; the rest is the body. */
function readEvent(text: string): FedEvent {
  const { cursor, eventType, id, sequence } = JSON.parse(text)
  return { cursor, type: eventType, id, sequence, body: text.replace(/^\{"cursor":"\d+",/, '{') }
}
