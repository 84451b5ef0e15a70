/** The refusal of a request of the operator for an account that does not exist. */
import { refuse } from '../../../contract/errors.ts'

export function refuseNoAccount(domain: string) {
  return refuse('ROUTE_NOT_FOUND', {
    message: { en: `There is no account ${domain}.`, pt: `Não existe a conta ${domain}.` },
  })
}
