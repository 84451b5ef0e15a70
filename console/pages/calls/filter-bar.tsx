/** The filters above the history. */
import { type ComponentProps, useId, useState } from 'react'
import { Field } from '../../parts/forms/field.tsx'
import { SearchInput } from '../../parts/forms/search-input.tsx'
import type { useFilters } from '../../parts/forms/use-filters.ts'
import { useOutcomes } from '../../parts/records/outcomes.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { resultWords } from '../../words/results.ts'
import { type filterNames, none } from './filters.ts'
import { LinkedFilters } from './linked-filters.tsx'
import { callPageWords } from './words.ts'

type Filters = ReturnType<typeof useFilters>
type Name = (typeof filterNames)[number]

const periods = ['today', 'week', 'month', ''] as const
const rare: Name[] = ['since', 'until', 'minSeconds', 'maxSeconds', 'minPrice', 'maxPrice']

export function FilterBar({ filters }: { filters: Filters }) {
  const words = useWords(callPageWords)
  const names = useWords(callWords)
  const results = useWords(resultWords)
  const hasDates = filters.read('since') !== '' || filters.read('until') !== ''
  return (
    <search className="card filters">
      <fieldset className="chips">
        <legend className="visually-hidden">{words.period}</legend>
        {periods.map((period) => (
          <button
            key={period}
            type="button"
            className="chip"
            aria-pressed={!hasDates && filters.read('period') === period}
            onClick={() => filters.set({ period, since: '', until: '' })}
          >
            {words.periods[period === '' ? 'all' : period]}
          </button>
        ))}
      </fieldset>
      <More filters={filters} />
      <SearchInput
        inputMode="tel"
        label={words.search}
        value={filters.read('number')}
        onSearch={(number) => filters.set({ number })}
      />
      <SearchInput
        label={words.personSearch}
        value={filters.read('person')}
        onSearch={(person) => filters.set({ person })}
      />
      <Choice
        filters={filters}
        name="status"
        label={words.status}
        any={words.anyStatus}
        names={names.status}
      />
      <Choice filters={filters} name="type" label={words.type} any={words.anyType} names={names.type} />
      <Choice
        filters={filters}
        name="outcome"
        label={results.outcome}
        any={results.any}
        names={useOutcomeNames(filters.read('outcome'))}
      />
      <LinkedFilters filters={filters} />
    </search>
  )
}

/** With the chosen one, also if the account no longer offers it. */
function useOutcomeNames(chosen: string): Record<string, string> {
  const words = useWords(resultWords)
  const { outcomes, labelOf } = useOutcomes()
  const names = Object.fromEntries(outcomes.map(({ key, label }) => [key, label]))
  return { ...(chosen !== '' && { [chosen]: labelOf(chosen) }), ...names, [none]: words.none }
}

type ChoiceProps = { filters: Filters; name: Name; label: string; any: string; names: Record<string, string> }

function Choice({ filters, name, label, any, names }: ChoiceProps) {
  const id = useId()
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={filters.read(name)}
        onChange={(event) => filters.set({ [name]: event.target.value })}
      >
        <option value="">{any}</option>
        {Object.entries(names).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </>
  )
}

/** Dates, length and price; open at first if one of them is set, and then as the person leaves it. */
function More({ filters }: { filters: Filters }) {
  const words = useWords(callPageWords)
  const [isOpen, setIsOpen] = useState(() => rare.some((name) => filters.read(name) !== ''))
  /** Dates replace the period. */
  const date = (name: Name): ComponentProps<'input'> => ({
    name,
    type: 'date',
    value: filters.read(name),
    onChange: (event) => filters.set({ [name]: event.target.value, period: '' }),
  })
  const number = (name: Name, step: string): ComponentProps<'input'> => ({
    name,
    type: 'number',
    min: 0,
    step,
    inputMode: 'decimal',
    value: filters.read(name),
    onChange: (event) => filters.set({ [name]: event.target.value }),
  })
  return (
    <details className="more-filters" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.moreFilters}</summary>
      <div className="bounds">
        <Field label={words.since} {...date('since')} />
        <Field label={words.until} {...date('until')} />
        <Field label={words.minSeconds} {...number('minSeconds', '1')} />
        <Field label={words.maxSeconds} {...number('maxSeconds', '1')} />
        <Field label={words.minPrice} {...number('minPrice', '0.01')} />
        <Field label={words.maxPrice} {...number('maxPrice', '0.01')} />
      </div>
    </details>
  )
}
