/** The presence of extensions (D674): what their phones do now, without a word of whom they talk to. Pure. */
import type { LiveParties } from '../calls/list/live-parties-store.ts'
import type { Presence } from '../contract/accounts/extensions.ts'

type Activity = 'in-call' | 'ringing'

/** By number of the extension; those that do nothing are left out. */
export function activitiesOf(calls: readonly LiveParties[]): Map<string, Activity> {
  const activities = new Map<string, Activity>()
  for (const group of Map.groupBy(calls, conversationIds(calls)).values()) {
    for (const [number, activity] of partiesOf(group)) {
      if (activities.get(number) !== 'in-call') activities.set(number, activity)
    }
  }
  return activities
}

/** In order of precedence: neither an absent phone nor one in do not disturb can be reached. */
export function presenceOf(
  { isRegistered, isUndisturbed }: { isRegistered: boolean; isUndisturbed: boolean },
  activity: Activity | undefined,
): Presence {
  if (!isRegistered) return 'offline'
  return isUndisturbed ? 'do-not-disturb' : (activity ?? 'free')
}

/** Calls that a transfer connected are one conversation (D641), named by the first of them. */
function conversationIds(calls: readonly LiveParties[]) {
  const parents = new Map(
    calls.flatMap(({ id, transfer_of, transferred_at }) =>
      transfer_of !== null && transferred_at !== null ? [[id, transfer_of] as const] : [],
    ),
  )
  return ({ id }: LiveParties): string => {
    let first = id
    for (let parent = parents.get(first); parent !== undefined; parent = parents.get(first)) first = parent
    return first
  }
}

/** The user who transferred a conversation is in two of its calls, and has left both. */
function partiesOf(conversation: readonly LiveParties[]): Map<string, Activity> {
  const parties = new Map<string, Activity>()
  for (const call of conversation) {
    for (const [number, activity] of sidesOf(call)) {
      if (!parties.delete(number)) parties.set(number, activity)
    }
  }
  return parties
}

function sidesOf({ call_type, status, from_number, to_number }: LiveParties): [string, Activity][] {
  const isAnswered = status === 'answered'
  // The phone of who places a call over the API rings first.
  const isPickedUp = isAnswered || status === 'connecting'
  const calling: [string, Activity] = [from_number, isPickedUp ? 'in-call' : 'ringing']
  const called: [string, Activity] = [to_number, isAnswered ? 'in-call' : 'ringing']
  if (call_type === 'inbound') return [called]
  if (call_type === 'outbound') return [calling]
  return isPickedUp ? [calling, called] : [calling]
}
