/** Phones of an account at the fake engine, and requests that place calls from them. */
import { type RequestText, writeRequest } from '../http-load/job.ts'
import { api } from '../service.ts'
import { addExtensions, type FullService } from './full-service.ts'

export type Phones = {
  /** The number of the first; the others follow. */
  first: number
  count: number
}

/** Adds the extensions to the account and registers their phones. */
export async function addPhones(service: FullService, { first, count }: Phones) {
  await addExtensions(service, first, count, false)
  await service.ask(
    'register',
    Array.from({ length: count }, (_, index) => ({ domain: service.domain, number: `${first + index}` })),
  )
}

/** A phone is called many times at once, so that duplicates are allowed. */
export function placeFromEach({ first, count }: Phones, token: string): RequestText[] {
  return Array.from({ length: count }, (_, index) => {
    const metadata = { lead_id: index, campaign: 'spring' }
    return writeRequest({
      method: 'POST',
      path: `${api}/calls`,
      token,
      headers: ['X-Allow-Duplicate: true'],
      body: { extension: `${first + index}`, called: '5548999998888', metadata },
    })
  })
}
