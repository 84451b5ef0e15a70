/** The way to a first call over the API, and where the rest is described. */
import './api.css'
import { Link } from 'wouter'
import { useOwnExtension } from '../../own-extension.ts'
import { Copy } from '../../parts/copy.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { CodeSamples } from '../../parts/records/code-samples.tsx'
import { useIsAdmin } from '../../session.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { samples } from './samples.ts'
import { apiWords } from './words.ts'

export default function Api() {
  const words = useWords(apiWords)
  const docs = useDocs()
  const base = `${location.origin}/api/v1`
  const own = useOwnExtension()
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <a className="button primary" href={docs('reference')} target="_blank" rel="noreferrer">
          <Icon name="api" />
          {words.reference}
        </a>
      }
    >
      <div className="columns">
        <div className="stack">
          <section className="card stack">
            <div className="row between">
              <h2>{words.token}</h2>
              <Link className="button small" href="/tokens">
                <Icon name="tokens" />
                {words.tokens}
              </Link>
            </div>
            <p className="faint">{words.tokenAbout}</p>
            <div className="row between sunken">
              <code>{base}</code>
              <Copy text={base} />
            </div>
          </section>
          <section className="card stack">
            <h2>{words.first}</h2>
            <p className="faint">{words.firstAbout}</p>
            <CodeSamples samples={samples(base, own?.ramal ?? '1000')} />
          </section>
          <RelatedPages />
        </div>
        <Reading />
      </div>
    </Page>
  )
}

/** Links to the pages with the calls, requests and events of a program. */
function RelatedPages() {
  const words = useWords(apiWords)
  const isAdmin = useIsAdmin()
  const places: { href: string; icon: IconName; name: string; about: string }[] = [
    { href: '/calls', icon: 'calls', ...words.places.calls },
    ...(isAdmin ? [{ href: '/requests', icon: 'search' as const, ...words.places.requests }] : []),
    { href: '/events', icon: 'audit', ...words.places.events },
    { href: '/integrations', icon: 'integrations', ...words.places.integrations },
  ]
  return (
    <section className="card">
      <h2>{words.looked}</h2>
      <ul className="recent">
        {places.map(({ href, icon, name, about }) => (
          <li key={href}>
            <Icon name={icon} />
            <div>
              <Link href={href}>{name}</Link> <span className="faint small">{about}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A page of the documentation, in the language of the console. */
function useDocs() {
  const folder = useLanguage() === 'en' ? 'en/' : ''
  return (page: string) => `/docs/${folder}${page}`
}

function Reading() {
  const words = useWords(apiWords)
  const docs = useDocs()
  return (
    <section className="card">
      <h2>{words.reading}</h2>
      <ul className="recent">
        {Object.entries(words.pages).map(([page, { name, about }]) => (
          <li key={page}>
            <div className="lines">
              <a href={docs(page)} target="_blank" rel="noreferrer">
                {name}
              </a>
              <span className="faint small">{about}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
