/** Accounts with their balance and limits, which the operator changes as `ramal account limits` does. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccountDirectory } from '../../../accounts/account-directory.ts'
import type { Ledger } from '../../../billing/ledger/ledger.ts'
import { refuseFields } from '../../../contract/errors.ts'
import {
  type OperatorAccount,
  type OperatorAccountDetail,
  OperatorLimitChange,
  type OperatorLimits,
  type OperatorPage,
} from '../../../contract/operator.ts'
import { toCentavos, toReais } from '../../../kit/text/money.ts'
import type { AccountLimits } from '../../../limits/limit.ts'
import type { LimitChange, Limits } from '../../../limits/limits.ts'
import { isRange, ranges } from '../../../limits/ranges.ts'
import { responseLanguage } from '../../server/errors/response-language.ts'
import { refuseNoAccount } from './no-account.ts'
import { perPage, readPaging } from './paging.ts'

export type AccountDeps = { accountDirectory: AccountDirectory; ledger: Ledger; limits: Limits }

type OfAccount = { Params: { domain: string } }

export function addAccountRoutes(scope: FastifyInstance, { accountDirectory, ledger, limits }: AccountDeps) {
  scope.get('/accounts', async (request): Promise<OperatorPage<OperatorAccount>> => {
    const { text, page, offset } = readPaging(request)
    const { rows, total } = await accountDirectory.search({ text, limit: perPage, offset })
    const ids = rows.map(({ id }) => id)
    const found = ids.length > 0 ? await ledger.balances(ids) : []
    const balances = new Map(found.map(({ accountId, balance }) => [accountId, balance]))
    const accounts = await Promise.all(
      rows.map(async ({ id, domain, name, email, created_at, activated_at, suspended_at }) => ({
        domain,
        name,
        email,
        createdAt: created_at.toISOString(),
        activatedAt: activated_at?.toISOString() ?? null,
        suspendedAt: suspended_at?.toISOString() ?? null,
        balance: toReais(balances.get(id)?.balance ?? 0),
        reserved: toReais(balances.get(id)?.reserved ?? 0),
        limits: presentLimits(await limits.read(id)),
      })),
    )
    return { rows: accounts, total, page, perPage }
  })

  scope.get<OfAccount>('/accounts/:domain/limits', (request) => showLimits(request, {}))

  scope.patch<OfAccount & { Body: OperatorLimitChange }>(
    '/accounts/:domain/limits',
    { schema: { body: OperatorLimitChange } },
    (request) => showLimits(request, readChange(request.body)),
  )

  /** After the change. */
  async function showLimits(request: FastifyRequest, change: LimitChange): Promise<OperatorAccountDetail> {
    const { domain } = request.params as OfAccount['Params']
    const found = await limits.change(domain, change)
    if (!found) throw refuseNoAccount(domain)
    const { calls, spent, reserved, day } = await ledger.dailyUse({ accountId: found.accountId })
    const language = responseLanguage(request)
    return {
      domain,
      limits: presentLimits(found.limits),
      use: { calls, spent: toReais(spent + reserved), dayEnds: day?.ends.toISOString() ?? null },
      ranges: ranges.map(({ prefix, name }) => ({
        prefix,
        name: name[language],
        enabled: found.limits.ranges.has(prefix),
      })),
    }
  }
}

function presentLimits(limits: AccountLimits): OperatorLimits {
  const { proof, callsAtOnce, callsPerDay, spendingPerDay, international } = limits
  return {
    proof: proof?.by ?? null,
    callsAtOnce,
    callsPerDay,
    spendingPerDay: { value: toReais(spendingPerDay.value), source: spendingPerDay.source },
    international,
    ranges: [...limits.ranges],
  }
}

const noRange = {
  code: 'inclusion',
  message: { en: 'has a prefix that is no range', pt: 'tem um prefixo que não é uma faixa' },
}
const noAmount = {
  code: 'numericality',
  message: { en: 'must be an amount such as 50.00', pt: 'deve ser um valor como 50.00' },
}

function readChange({ spendingPerDay, ...rest }: OperatorLimitChange): LimitChange {
  const { allow = [], bar = [] } = rest
  if (![...allow, ...bar].every(isRange)) throw refuseFields('Account', { allow: [noRange] })
  if (spendingPerDay === undefined) return rest
  const amount = spendingPerDay === null ? null : toCentavos(spendingPerDay)
  if (amount === undefined) throw refuseFields('Account', { spendingPerDay: [noAmount] })
  return { ...rest, spendingPerDay: amount }
}
