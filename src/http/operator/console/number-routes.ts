/** Numbers that the operator assigns and releases as `ramal number` does (D189). */
import type { FastifyInstance } from 'fastify'
import { problem, refuse, refuseFields } from '../../../contract/errors.ts'
import { OperatorAssignment, type OperatorNumber, type OperatorPage } from '../../../contract/operator.ts'
import type { Static } from '../../../contract/schema/type.ts'
import { readPhone } from '../../../kit/text/phone.ts'
import type { NumberAssignments } from '../../../numbers/number-assignments.ts'
import { pageOf, readPaging } from './paging.ts'

export type NumberDeps = {
  numberAssignments: NumberAssignments
}

export function addNumberRoutes(scope: FastifyInstance, { numberAssignments }: NumberDeps) {
  scope.get('/numbers', async (request): Promise<OperatorPage<OperatorNumber>> => {
    const paging = readPaging(request)
    const has = matches(paging.text)
    const digits = paging.text.replaceAll(/\D/g, '')
    const found = (await numberAssignments.list()).filter(
      ({ number, domain }) => has(domain) || (digits !== '' && number.includes(digits)),
    )
    const rows = found.map(({ number, domain, proof, verified_at }) => ({
      number,
      domain,
      proof,
      verifiedAt: verified_at?.toISOString() ?? null,
    }))
    return pageOf(rows, paging)
  })

  scope.post<{ Body: Static<typeof OperatorAssignment> }>(
    '/numbers',
    { schema: { body: OperatorAssignment } },
    async ({ body }) => {
      const number = readPhone(body.number)
      if (number === undefined) throw refuseFields('PhoneNumber', { number: [problem.noPhone] })
      const domain = body.domain.trim().toLowerCase()
      const answer = await numberAssignments.assign(number, domain)
      if (answer === 'no account') {
        const unknown = { code: 'inclusion', message: { en: 'has no account', pt: 'não tem conta' } }
        throw refuseFields('PhoneNumber', { domain: [unknown] })
      }
      if (answer !== 'assigned') throw refuse('NUMBER_TAKEN', { message: heldBy(number, answer.heldBy) })
      return { number, domain }
    },
  )

  scope.delete<{ Params: { number: string } }>('/numbers/:number', async ({ params: { number } }) => {
    const domain = await numberAssignments.release(number)
    if (domain === undefined) throw refuse('NUMBER_NOT_FOUND')
    return { number, domain }
  })
}

const matches = (text: string) => {
  const wanted = text.toLowerCase()
  return (value: string) => value.toLowerCase().includes(wanted)
}

const heldBy = (number: string, domain: string) => ({
  en: `+${number} belongs to ${domain}. Release it first.`,
  pt: `+${number} pertence a ${domain}. Libere-o primeiro.`,
})
