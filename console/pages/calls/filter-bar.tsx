/** The filters above the history. */
import { useId } from 'react'
import type { useFilters } from '../../parts/forms/use-filters.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

const periods = ['today', 'week', 'month', ''] as const

export function FilterBar({ filters }: { filters: ReturnType<typeof useFilters> }) {
  const words = useWords(callPageWords)
  const names = useWords(callWords)
  const id = useId()
  return (
    <search className="card filters">
      <fieldset className="chips">
        <legend className="visually-hidden">{words.period}</legend>
        {periods.map((period) => (
          <button
            key={period}
            type="button"
            className="chip"
            aria-pressed={filters.read('period') === period}
            onClick={() => filters.set({ period })}
          >
            {words.periods[period === '' ? 'all' : period]}
          </button>
        ))}
      </fieldset>
      <input
        className="input"
        type="search"
        inputMode="tel"
        aria-label={words.search}
        placeholder={words.search}
        defaultValue={filters.read('number')}
        onChange={(event) => filters.set({ number: event.target.value })}
      />
      <input
        className="input"
        type="search"
        aria-label={words.personSearch}
        placeholder={words.personSearch}
        defaultValue={filters.read('person')}
        onChange={(event) => filters.set({ person: event.target.value })}
      />
      <label className="visually-hidden" htmlFor={`${id}-status`}>
        {words.status}
      </label>
      <select
        id={`${id}-status`}
        className="input"
        value={filters.read('status')}
        onChange={(event) => filters.set({ status: event.target.value })}
      >
        <option value="">{words.anyStatus}</option>
        {Object.entries(names.status).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <label className="visually-hidden" htmlFor={`${id}-type`}>
        {words.type}
      </label>
      <select
        id={`${id}-type`}
        className="input"
        value={filters.read('type')}
        onChange={(event) => filters.set({ type: event.target.value })}
      >
        <option value="">{words.anyType}</option>
        {Object.entries(names.type).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </search>
  )
}
