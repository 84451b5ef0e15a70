/** `Firefox, Linux` of the long text that browsers send; programs name themselves. */
export function browserOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = ['Edg', 'Firefox', 'Chrome', 'Safari'].find((name) => text.includes(name))
  const system = ['Android', 'iPhone', 'Windows', 'Mac OS', 'Linux'].find((name) => text.includes(name))
  const known = [browser === 'Edg' ? 'Edge' : browser, system].filter((part) => part !== undefined)
  return known.join(', ') || text || '—'
}
