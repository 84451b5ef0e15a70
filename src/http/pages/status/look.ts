/** How the status page looks. It has no script, and needs nothing from elsewhere. */
import { digestOf, sharedStyle } from '../look.ts'

export const statusStyle = `${sharedStyle}
body { overflow-wrap: anywhere }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; max-width: 48rem; margin: 0 auto; padding: 1rem }
.bar strong { display: flex; align-items: center; gap: .6rem; font-size: 1.0625rem; font-weight: 680 } .bar svg { width: 1.75rem; height: 1.75rem }
.bar nav { margin-left: auto; display: flex; gap: .25rem }
.bar nav a { padding: .25rem .6rem; border-radius: 99rem; text-decoration: none; font-size: .9rem }
.bar nav a[aria-current] { background: var(--accent-soft); color: var(--accent) }
main { max-width: 48rem; margin: 0 auto; padding: 0 1rem 3rem }
section, .overall { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 1.25rem clamp(1rem, 4vw, 1.5rem); margin: 0 0 1rem }
.overall { border-left: .4rem solid currentColor } .overall h1 { margin: 0 0 .25rem }
h2 { font-size: 1.1rem; margin: 0 0 .5rem } h3 { font-size: 1rem; margin: 0 0 .25rem }
p { margin: 0 0 .5rem } p:last-child { margin-bottom: 0 }
.faint { color: var(--ink-3); font-size: .9rem }
.good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) } .calm { color: var(--accent) }
.overall .faint { margin: 0 }
ul, ol { list-style: none; margin: 0; padding: 0 }
.parts li { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline; justify-content: space-between; padding: .6rem 0; border-top: 1px solid var(--line) }
.parts li:first-child { border-top: 0 } .parts strong { font-weight: 600 }
.state { font-size: .9rem; font-weight: 600 }
article { padding: 1rem 0; border-top: 1px solid var(--line) } article:first-of-type { border-top: 0; padding-top: .25rem } article:last-child { padding-bottom: 0 }
article ol { margin-top: .75rem; display: grid; gap: .75rem } article li { padding-left: .9rem; border-left: .2rem solid var(--line-2) }
.text { white-space: pre-wrap; margin: .1rem 0 0 }
[role=alert] { border: 1px solid var(--bad); border-left-width: .3rem; background: var(--bad-soft); border-radius: var(--radius-s); padding: .75rem 1rem; margin: 0 0 1rem }
`

/** This style and nothing else, from anywhere. */
export const statusPolicy = [
  "default-src 'none'",
  `style-src ${digestOf(statusStyle)}`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
