/** D667: a figure that leads to what it counts, with how it changed against the time before. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Value } from '../value.tsx'

type Props = {
  name: string
  value: string
  href: string
  /** With its sign; undefined if there is nothing to compare with. */
  change?: string | undefined
  children: ReactNode
}

export function Figure({ name, value, href, change, children }: Props) {
  return (
    <Link href={href} className="card figure">
      <h2>{name}</h2>
      <Value>{value}</Value>
      <p className="about">
        {change !== undefined && <span className="badge number">{change}</span>} {children}
      </p>
    </Link>
  )
}

/** The growth in percent. Nothing has no share. */
export function growth(before: number, now: number, text: (share: number) => string): string | undefined {
  return before === 0 ? undefined : text((now - before) / before)
}
