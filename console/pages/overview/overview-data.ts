/** Queries that the parts of the overview share. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'

export function useLatestCalls() {
  const filter = JSON.stringify({ limit: 6 })
  return useQuery({
    queryKey: ['calls', 'latest'],
    queryFn: () => request('GET', '/calls', { query: { page: 1, filter } }),
  })
}

export function useIntegrations() {
  return useQuery({ queryKey: ['integrations'], queryFn: () => request('GET', '/integrations') })
}

export function useFirstCharges(isAdmin: boolean) {
  return useQuery({
    queryKey: ['charges', 1],
    enabled: isAdmin,
    queryFn: () => request('GET', '/charges', { query: { page: 1 } }),
  })
}

export function useAccountSettings(isAdmin: boolean) {
  return useQuery({
    queryKey: ['account-settings', 'alone'],
    enabled: isAdmin,
    queryFn: () => request('GET', '/accounts/settings'),
  })
}
