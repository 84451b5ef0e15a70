/** Contacts that match what a person types, asked for once they pause: eleven keys are one question. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { request } from '../../api.ts'

const pauseMs = 250
const minSearched = 2
const filter = JSON.stringify({ limit: 8 })

export function useContactSearch(text: string) {
  const search = usePaused(text)
  const isSearched = search.length >= minSearched
  const { data } = useQuery({
    queryKey: ['contacts', 'search', search],
    queryFn: () => request('GET', '/contacts', { query: { search, page: 1, filter } }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  })
  return isSearched && text.length >= minSearched ? (data?.data ?? []) : []
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
