/** The buttons at the end of a row of a table: an icon each, named for those who do not see it. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export function RowActions({ children }: { children: ReactNode }) {
  return (
    <span className="row" style={{ flexWrap: 'nowrap', gap: '.25rem', justifyContent: 'flex-end' }}>
      {children}
    </span>
  )
}

type Props = { icon: IconName; name: string; isBusy?: boolean; onClick: () => void }

export function RowButton({ icon, name, isBusy, onClick }: Props) {
  return (
    <button
      type="button"
      className="button plain icon-only small"
      aria-label={name}
      title={name}
      disabled={isBusy}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
