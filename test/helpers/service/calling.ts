/** Calls that tests place over the API, and what the API says of them. */
import { allowDuplicate, type Office, type VoiceService } from './voice.ts'

export const called = '5548999998888'
export const callRequest = { extension: '1000', called }

/** `at`: read at each use, as a test file opens its office before its tests. */
export function callingAt(at: () => { service: VoiceService; office: Office }) {
  const place = (body: object = callRequest, headers: Record<string, string> = {}) =>
    at().service.api.post('/calls', body, {
      token: at().office.token,
      headers: { ...allowDuplicate, ...headers },
    })
  const hangUp = (id: string, who: { token: string } = at().office) =>
    at().service.api.post(`/calls/${id}/hangup`, undefined, who)
  const record = async (id: string) => (await at().service.api.get(`/calls/${id}`, at().office)).body

  /** Calls of the account. */
  const count = async (): Promise<number> =>
    (await at().service.api.get('/calls?page=1', at().office)).body.meta.totalItemCount

  /** The newest request to the engine. */
  function placing() {
    const newest = at().service.engine.requests().at(-1)
    if (!newest) throw new Error('nothing was placed')
    return newest
  }

  /** Places a call and brings it to a stage. */
  async function placeUntil(stage: 'ringing' | 'connecting' | 'answered'): Promise<string> {
    const { engine, eventsStored } = at().service
    const { id } = (await place()).body
    if (stage !== 'ringing') engine.pickUp(id)
    if (stage === 'answered') engine.answer(id)
    await eventsStored()
    return id
  }

  return { place, hangUp, record, count, placing, placeUntil }
}
