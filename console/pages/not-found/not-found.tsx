/** The page of an address that does not exist. */
import { Link } from 'wouter'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { notFoundWords } from './words.ts'

export default function NotFound() {
  const words = useWords(notFoundWords)
  return (
    <Page title={words.title}>
      <div className="card">
        <Empty icon="search" title={words.about}>
          <p>{words.hint}</p>
          <Link href="/" className="button">
            {words.back}
          </Link>
        </Empty>
      </div>
    </Page>
  )
}
