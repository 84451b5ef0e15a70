/** Hangs up a live call with each library, as people call it; the witnesses of the end are the phone and the carrier. */
import type { Baresip } from '../../sip/peers/baresip.ts'
import { axiosForms } from '../libraries/axios.ts'
import { curlForms } from '../libraries/curl.ts'
import { fetchForms } from '../libraries/fetch.ts'
import { gotForms } from '../libraries/got.ts'
import type { Forms } from '../libraries/library.ts'
import { guzzleForms, guzzleProbe, phpCurlProbe, phpForms } from '../libraries/php.ts'
import { pythonForms, pythonProbe } from '../libraries/python.ts'
import { superagentForms } from '../libraries/superagent.ts'
import { needPart } from '../runner/programs.ts'
import type { Person } from '../runner/story.ts'
import { request } from '../stage/api.ts'
import { customerOfLibrary } from '../stage/carrier.ts'
import type { Day } from '../stage/day.ts'

type Library = { name: string; forms: Forms; probe?: string[] }

const libraries: Library[] = [
  { name: 'axios', forms: axiosForms },
  { name: 'fetch', forms: fetchForms },
  { name: 'got', forms: gotForms },
  { name: 'superagent', forms: superagentForms },
  { name: 'curl', forms: curlForms, probe: ['curl', '--version'] },
  { name: 'curl of PHP', forms: phpForms, probe: phpCurlProbe },
  { name: 'Guzzle', forms: guzzleForms, probe: guzzleProbe },
  { name: 'Python with requests', forms: pythonForms, probe: pythonProbe },
]

type Phones = { first: Baresip; second: Baresip }
type HangUp = { form: string; send: Forms[string]; library: Library; number: string }

/** Two phones at once: each has its own limit of calls in a minute. */
export async function hangUpWithEachLibrary(person: Person, day: Day, token: string, phones: Phones) {
  const all = libraries
    .flatMap((library) => Object.entries(library.forms).map(([form, send]) => ({ form, send, library })))
    .map((one, at): HangUp => ({ ...one, number: customerOfLibrary(at) }))
  await Promise.all([
    hangUpEach(
      person,
      day,
      token,
      { phone: phones.first, extension: '2001' },
      all.filter((_, at) => at % 2 === 0),
    ),
    hangUpEach(
      person,
      day,
      token,
      { phone: phones.second, extension: '2002' },
      all.filter((_, at) => at % 2 === 1),
    ),
  ])
}

type Desk = { phone: Baresip; extension: string }

async function hangUpEach(person: Person, day: Day, token: string, desk: Desk, hangUps: HangUp[]) {
  const { api } = day.service
  for (const { form, send, library, number } of hangUps) {
    await person.check(`hangs up with ${form}`, async () => {
      if (library.probe) needPart(library.name, library.probe)
      const after = desk.phone.events.length
      const input = { extension: desk.extension, called: number, metadata: { form } }
      const { id } = await request<{ id: string }>(token, 'POST', `${api}/calls`, input)
      const customer = await day.carrier.answeredBy(number)
      await desk.phone.established(after)
      try {
        await send(`${api}/calls/${id}/hangup`, token)
        await customer.ended(10_000)
        await desk.phone.closed(after)
      } catch (error) {
        // The next call needs a free phone.
        await desk.phone.hangUp().catch(() => {})
        throw error
      }
    })
  }
}
