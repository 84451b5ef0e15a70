/** D666: the buttons at the end of a row of a table: an icon each with its word, which wide tables show while it is pointed at. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export function RowActions({ children }: { children: ReactNode }) {
  return <span className="row-actions">{children}</span>
}

/** `name` says of which row it is; it begins with a verb, which stands beside the icon unless `word` does. */
type Props = { icon: IconName; name: string; word?: string; isBusy?: boolean; onClick: () => void }

export function RowButton({ icon, name, word = name.split(' ')[0], isBusy, onClick }: Props) {
  return (
    <button
      type="button"
      className="button plain icon-only small"
      aria-label={name}
      disabled={isBusy}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span className="word">{word}</span>
    </button>
  )
}
