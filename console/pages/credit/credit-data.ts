/** What the page of the credit reads; the live stream refreshes the same keys when a payment arrives. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Charge } from '../../api-types.ts'
import { rowsPerPage } from '../../parts/table.tsx'

const balanceKey = ['balance']
export const chargesKey = ['charges']
const statementKey = ['statement']

export const useBalance = () =>
  useQuery({ queryKey: balanceKey, queryFn: () => request('GET', '/credits/balance') })

const openStatuses: Charge['status'][] = ['PENDING', 'AWAITING_RISK_ANALYSIS', 'AUTHORIZED', 'OVERDUE']

export const isOpen = ({ status }: Charge) => openStatuses.includes(status)

/** An account has one open charge at most, and it is the newest. */
export const useNewestCharge = () =>
  useQuery({
    queryKey: chargesKey,
    queryFn: async () => {
      const filter = JSON.stringify({ order: 'id DESC', limit: 1 })
      const { data } = await request('GET', '/charges', { query: { page: 1, filter } })
      return data[0] ?? null
    },
  })

const filter = JSON.stringify({ limit: rowsPerPage })

export const useStatement = (page: number) =>
  useQuery({
    queryKey: [...statementKey, page],
    queryFn: () => request('GET', '/credits/statement', { query: { page, filter } }),
    placeholderData: keepPreviousData,
  })
