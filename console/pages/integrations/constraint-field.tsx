/** Which calls an integration is notified of, by their metadata, and how many of the last month match. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api.ts'
import { useFormat } from '../../parts/format.ts'
import { Field } from '../../parts/forms/field.tsx'
import { useWords } from '../../words/language.ts'
import { integrationWords } from './words.ts'

type Constraint = Record<string, never>

const monthMs = 30 * 86_400_000

/** Null if there is none, undefined if it is no object. */
export function readConstraint(text: string): Constraint | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Constraint)
      : undefined
  } catch {
    return undefined
  }
}

type Props = { constraint: Record<string, unknown> | null | undefined; problem: string | undefined }

export function ConstraintField({ constraint, problem }: Props) {
  const words = useWords(integrationWords)
  const format = useFormat()
  const given = constraint && Object.keys(constraint).length > 0 ? JSON.stringify(constraint) : ''
  const [text, setText] = useState(given)
  const typed = readConstraint(text)
  const matching = useQuery({
    queryKey: ['calls', 'matching', text],
    enabled: typed !== null && typed !== undefined,
    async queryFn() {
      const where = { ...conditionsOf(typed ?? {}), started_at: { gte: monthAgo() } }
      const filter = JSON.stringify({ where, limit: 1 })
      const { meta } = await request('GET', '/calls', { query: { page: 1, filter } })
      return meta.totalItemCount
    },
  })
  const isKnown = typed && matching.data !== undefined
  return (
    <Field
      label={words.constraint}
      name="constraint"
      defaultValue={given}
      hint={isKnown ? words.matching(format.count(matching.data)) : words.constraintHint}
      spellCheck={false}
      problem={problem ?? (typed === undefined ? words.notJson : undefined)}
      onBlur={(event) => setText(event.target.value)}
    />
  )
}

const monthAgo = () => new Date(Date.now() - monthMs).toISOString()

/** `{"a": {"b": 1}}`, also below `metadata`, as a filter of calls: `{"metadata.a.b": 1}`. */
function conditionsOf(constraint: Record<string, unknown>): Record<string, unknown> {
  const { metadata, ...flat } = constraint
  const objects = isObject(metadata) ? [flat, metadata] : [constraint]
  return Object.fromEntries(objects.flatMap((one) => pathsOf('metadata', one)))
}

function pathsOf(path: string, value: unknown): [string, unknown][] {
  if (!isObject(value)) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(`${path}.${key}`, inner))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
