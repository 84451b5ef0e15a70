/** The navigation of a telephone: a few pages at the bottom, and the rest in a sheet behind "more". */
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { shellWords } from './words.ts'

type BarLink = { path: string; name: string; icon: IconName; current: 'page' | 'true' | undefined }

/** `rest`: the content of the sheet, which calls `close` when a link is followed. */
export function BottomBar({ links, rest }: { links: BarLink[]; rest: (close: () => void) => ReactNode }) {
  const words = useWords(shellWords)
  const common = useWords(commonWords)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <nav className="bar" aria-label={words.navigation}>
        {links.slice(0, 4).map(({ path, name, icon, current }) => (
          <Link key={path} href={path} aria-current={current}>
            <Icon name={icon} />
            {name}
          </Link>
        ))}
        <button type="button" onClick={() => setIsOpen(true)}>
          <Icon name="more" />
          {common.more}
        </button>
      </nav>
      {isOpen && (
        <Dialog title={common.more} onClose={close}>
          <nav className="side-sheet" aria-label={common.more}>
            {rest(close)}
          </nav>
        </Dialog>
      )}
    </>
  )
}
