/** Where the API is, and a first call in four languages. */
import { Link } from 'wouter'
import { useOwnExtension } from '../../own-extension.ts'
import { Copy } from '../../parts/copy.tsx'
import { Page } from '../../parts/page.tsx'
import { CodeSamples } from '../../parts/records/code-samples.tsx'
import { useWords } from '../../words/language.ts'
import { samples } from './samples.ts'
import { apiWords } from './words.ts'

export default function Api() {
  const words = useWords(apiWords)
  const base = `${location.origin}/api/v1`
  const own = useOwnExtension()
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <a className="button" href="/docs" target="_blank" rel="noreferrer">
          {words.reference}
        </a>
      }
    >
      <div className="stack">
        <section className="card stack">
          <h2>{words.base}</h2>
          <div className="row">
            <code>{base}</code>
            <Copy text={base} />
          </div>
          <p>
            {words.token} <Link href="/tokens">{words.tokens}</Link>
          </p>
        </section>
        <section className="card stack">
          <h2>{words.first}</h2>
          <CodeSamples samples={samples(base, own?.ramal ?? '1000')} />
        </section>
      </div>
    </Page>
  )
}
