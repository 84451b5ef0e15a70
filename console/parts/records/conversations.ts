/** D641: calls that a transfer connected are one conversation, of the parties that talk now. Pure. */

type Transferable = { id: string; from: string; to: string; transferred_from: string | null }

export type Conversation<Call> = {
  /** The first of its calls, which lasts until the end. */
  call: Call
  /** The parties that talk; after a transfer not those of the call. */
  from: string
  to: string
}

export function conversationsOf<Call extends Transferable>(calls: Call[]): Conversation<Call>[] {
  const ids = new Set(calls.map(({ id }) => id))
  const firstOf = ({ transferred_from }: Call) =>
    transferred_from && ids.has(transferred_from) ? transferred_from : undefined
  const seconds = Map.groupBy(calls, firstOf)
  return (seconds.get(undefined) ?? []).map((call) => {
    let talking: Conversation<Call> = { call, from: call.from, to: call.to }
    const followed = [call.id]
    for (const id of followed)
      for (const second of seconds.get(id) ?? []) {
        followed.push(second.id)
        talking = connect(talking, second)
      }
    return talking
  })
}

/** The extension that both calls have has left: the other party of the second call is in its place. */
function connect<Call>(talking: Conversation<Call>, { from, to }: Transferable): Conversation<Call> {
  const isThere = (number: string) => number === talking.from || number === talking.to
  const [leaving, joining] = isThere(from) ? [from, to] : [to, from]
  return leaving === talking.from ? { ...talking, from: joining } : { ...talking, to: joining }
}
