/** Log-in and log-out of operators, by name (D648) or with the operator token (D320), and the page of a set-up link. */
import type { FastifyInstance } from 'fastify'
import { type OperatorAccess as AccessAnswer, OperatorSignIn } from '../../../../contract/operator.ts'
import {
  OperatorLogin,
  OperatorSetUpBegin,
  type OperatorSetUpBegun,
  OperatorSetUpFinish,
  type OperatorSetUpFinished,
} from '../../../../contract/operator-people.ts'
import type { Static } from '../../../../contract/schema/type.ts'
import type { OperatorSetUp } from '../../../../users/operators/operator-set-up.ts'
import { version } from '../../../version.ts'
import type { OperatorAccess } from '../access.ts'

export type SessionDeps = { access: OperatorAccess; operatorSetUp: OperatorSetUp }

/** For people who have no session yet. */
export function addLoginRoutes(scope: FastifyInstance, { access, operatorSetUp }: SessionDeps) {
  scope.post<{ Body: Static<typeof OperatorSignIn> }>(
    '/session',
    { schema: { body: OperatorSignIn } },
    async (request, reply): Promise<AccessAnswer> => {
      reply.header('Set-Cookie', await access.signIn(request, request.body.token))
      return { version, operator: null }
    },
  )
  scope.post<{ Body: Static<typeof OperatorLogin> }>(
    '/login',
    { schema: { body: OperatorLogin } },
    async (request, reply): Promise<AccessAnswer> => {
      const { email, password, code } = request.body
      const { operator, cookies } = await access.logIn(request, { email, password, code })
      reply.header('Set-Cookie', cookies)
      return { version, operator: { name: operator.name, email: operator.email } }
    },
  )
  scope.post<{ Body: Static<typeof OperatorSetUpBegin> }>(
    '/set-up/begin',
    { schema: { body: OperatorSetUpBegin } },
    async (request): Promise<OperatorSetUpBegun> => {
      await access.checkForm(request)
      const { name, email, factor } = await operatorSetUp.begin(request.body.link)
      return { name, email, ...factor }
    },
  )
  scope.post<{ Body: Static<typeof OperatorSetUpFinish> }>(
    '/set-up',
    { schema: { body: OperatorSetUpFinish } },
    async (request): Promise<OperatorSetUpFinished> => {
      await access.checkForm(request)
      const { link, password, code } = request.body
      return await operatorSetUp.finish(link, password, code)
    },
  )
}

/** For those who have one. */
export function addSessionRoutes(scope: FastifyInstance, { access }: Pick<SessionDeps, 'access'>) {
  scope.get('/session', async (request): Promise<AccessAnswer> => {
    const actor = access.actorOf(request)
    if (actor.by === 'token') return { version, operator: null }
    return { version, operator: { name: actor.operator.name, email: actor.operator.email } }
  })
  scope.delete('/session', async (request, reply) => {
    reply.header('Set-Cookie', await access.signOut(request))
    return {}
  })
}
