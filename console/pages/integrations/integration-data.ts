/** What the pages of integrations read, and the settings of a webhook inside `metadata`. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'
import type { Integration } from '../../api-types.ts'

export const integrationsKey = ['integrations']
export const deliveriesKey = ['deliveries']

export const useIntegrations = () =>
  useQuery({ queryKey: integrationsKey, queryFn: () => must(client.GET('/integrations')) })

export const useIntegration = (id: string) =>
  useQuery({
    queryKey: [...integrationsKey, id],
    queryFn: () => must(client.GET('/integrations/{id}', { params: { path: { id } } })),
  })

export const useDeliveries = (id: string, page: number) =>
  useQuery({
    queryKey: [...deliveriesKey, id, page],
    queryFn: () =>
      must(client.GET('/integrations/{id}/deliveries', { params: { path: { id }, query: { page } } })),
    placeholderData: keepPreviousData,
  })

export const useDelivery = (id: string, deliveryId: string) =>
  useQuery({
    queryKey: [...deliveriesKey, id, 'one', deliveryId],
    queryFn: () =>
      must(
        client.GET('/integrations/{id}/deliveries/{deliveryId}', {
          params: { path: { id, deliveryId } },
        }),
      ),
  })

type Settings = { url: string; types: string[] }

export function settingsOf({ metadata }: Integration): Settings {
  const { webhookUrl, webhookTypes } = metadata as { webhookUrl?: unknown; webhookTypes?: unknown }
  return {
    url: typeof webhookUrl === 'string' ? webhookUrl : '',
    types: Array.isArray(webhookTypes) ? webhookTypes.filter((type) => typeof type === 'string') : [],
  }
}
