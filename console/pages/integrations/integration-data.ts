/** What the pages of integrations read, and the settings of a webhook inside `metadata`. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Integration } from '../../api-types.ts'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { rowsPerPage } from '../../parts/table.tsx'

export const integrationsKey = ['integrations']

export const useIntegrations = () =>
  useQuery({ queryKey: integrationsKey, queryFn: () => request('GET', '/integrations') })

export const useIntegration = (id: string) =>
  useQuery({
    queryKey: [...integrationsKey, id],
    queryFn: () => request('GET', '/integrations/{id}', { path: { id } }),
  })

/** `where`: by state and event. */
export function useDeliveries(id: string, page: number, where: Record<string, string>) {
  const filter = JSON.stringify({ where, limit: rowsPerPage })
  return useQuery({
    queryKey: [...deliveriesKey, id, page, filter],
    queryFn: () => request('GET', '/integrations/{id}/deliveries', { path: { id }, query: { page, filter } }),
    placeholderData: keepPreviousData,
  })
}

type Settings = { url: string; types: string[] }

export function settingsOf({ metadata }: Integration): Settings {
  const { webhookUrl, webhookTypes } = metadata as { webhookUrl?: unknown; webhookTypes?: unknown }
  return {
    url: typeof webhookUrl === 'string' ? webhookUrl : '',
    types: Array.isArray(webhookTypes) ? webhookTypes.filter((type) => typeof type === 'string') : [],
  }
}
