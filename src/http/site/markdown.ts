/** Markdown of the documentation as HTML: headings with anchors, links between pages, pictures, marked blocks of code. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../pages/html.ts'

type Heading = { depth: number; id: string; text: string }

export type Rendered = { html: string; title: string; headings: Heading[] }

export type Targets = {
  /** Makes the address of a link from the one in the Markdown. */
  link: (href: string) => string
  /** Where a piece of code is explained: an operation or an error code. */
  code: (text: string) => string | undefined
  /** A picture as SVG, by the address that the Markdown has. */
  picture: (href: string) => string | undefined
  /** Below a block of code, by the word behind its language. */
  note: (word: string) => string | undefined
}

/** As GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

const plain = (text: string) => text.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')

export function renderMarkdown(text: string, targets: Targets): Rendered {
  const headings: Heading[] = []
  const used = new Map<string, number>()
  let linksOpen = 0

  function idOf(heading: string): string {
    const id = anchorOf(heading)
    const count = used.get(id) ?? 0
    used.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading) {
        const words = plain(source)
        const id = idOf(words)
        headings.push({ depth, id, text: words })
        linksOpen += 1
        const inner = this.parser.parseInline(tokens)
        linksOpen -= 1
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        linksOpen += 1
        const inner = this.parser.parseInline(tokens)
        linksOpen -= 1
        return `<a href="${escapeHtml(targets.link(href))}">${inner}</a>`
      },
      image({ href, text: about }: Tokens.Image) {
        const svg = targets.picture(href)
        if (svg === undefined) throw new Error(`There is no picture ${href}`)
        return `<figure>${svg}<figcaption>${escapeHtml(about)}</figcaption></figure>`
      },
      codespan({ text: code }: Tokens.Codespan) {
        const target = linksOpen === 0 ? targets.code(code) : undefined
        const html = `<code>${escapeHtml(code)}</code>`
        return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const [language = '', word = ''] = lang.split(' ')
        const note = word.startsWith('file=')
          ? `<code>${escapeHtml(word.slice(5))}</code>`
          : targets.note(word)
        const caption = note === undefined ? '' : `<figcaption>${note}</figcaption>`
        return `<figure class="code">${caption}<pre tabindex="0"><code class="${escapeHtml(language)}">${escapeHtml(code)}\n</code></pre></figure>\n`
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`)
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`
      },
      html({ text: html }: Tokens.HTML | Tokens.Tag) {
        return escapeHtml(html)
      },
    },
  })
  const html = marked.parse(text, { async: false })
  return { html, title: headings.find(({ depth }) => depth === 1)?.text ?? '', headings }
}
