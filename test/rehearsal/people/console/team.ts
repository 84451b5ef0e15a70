/** The people of a shop at their phones: a seller in the browser, and a colleague at a desk. */
import { startBaresip } from '../../../sip/peers/baresip.ts'
import { need } from '../../runner/programs.ts'
import type { Person } from '../../runner/story.ts'
import { request } from '../../stage/api.ts'
import type { Day } from '../../stage/day.ts'
import { type Account, password, type Shop } from './shop.ts'

const sipPassword = 'senha-do-ramal'

export const seller = { extension: '1001', name: 'Inês' }
export const colleague = { extension: '1002', name: 'João' }

/** Sells, and may be called by everybody; returns what they sign in with. */
export async function hireSeller(
  { service }: Day,
  { at, token, domain, language }: Shop,
): Promise<Account & { number: string }> {
  const email = `vendas@loja-${at}.example`
  const number = `55483333120${at}`
  await service.ramal('number', 'assign', number, '--account', domain)
  const user = { name: `${seller.name} Conceição`, email, password, phone: '48999998888', role: 'USER' }
  await request(token, 'POST', `${service.api}/users`, user)
  const extension = {
    ramal: seller.extension,
    senha: sipPassword,
    first_name: seller.name,
    last_name: 'Conceição',
    email_address: email,
    bina: number,
    gravar_audio: 1,
  }
  await request(token, 'POST', `${service.api}/extensions`, extension)
  return { email, password, number, language }
}

/** At a desk phone that answers by itself. */
export async function seatColleague(person: Person, { service }: Day, { at, token, domain }: Shop) {
  need('baresip')
  const extension = {
    ramal: colleague.extension,
    senha: sipPassword,
    first_name: colleague.name,
    last_name: 'Araújo',
    email_address: `mesa@loja-${at}.example`,
  }
  await request(token, 'POST', `${service.api}/extensions`, extension)
  const { host, udp } = service.sip
  const phone = await startBaresip({
    address: host,
    server: `${host}:${udp}`,
    domain,
    extension: colleague.extension,
    password: sipPassword,
    answer: 'auto',
  })
  person.atEnd(phone.stop)
  await phone.registered()
  return phone
}
