/** Search, buttons that copy, and a menu that is closed on telephones. Pages can be read without it. */
const root = new URL('.', document.currentScript.src)
const { nothing, other, copy, copied, ending, page } = document.body.dataset
const language = document.documentElement.lang
const menu = document.querySelector('nav details')
if (innerWidth < 832) menu.open = false

// Links of earlier versions, such as /docs#postCalls, meant an operation.
if (page === 'index' && location.hash && !document.getElementById(location.hash.slice(1)))
  location.replace(`reference${ending}${location.hash}`)

for (const figure of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('pre').textContent)
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 1500)
  })
  figure.append(button)
}

const box = document.querySelector('.search')
const input = box.querySelector('input')
const found = box.querySelector('.found')
box.hidden = false
let loading

/** Without regard to case and accents. */
const simplified = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function loadIndex() {
  loading ??= fetch(new URL('search.json', root))
    .then((answer) => answer.json())
    .then((entries) =>
      entries.map((entry) => ({
        ...entry,
        words: [entry.page, entry.heading, entry.text].map(simplified),
      })),
    )
  return loading
}

/** Every word must be there; titles count more, and so does the language of the page. */
function score({ lang, words: [title, heading, text] }, words) {
  let sum = 0
  for (const word of words) {
    const points = (heading.includes(word) && 8) + (title.includes(word) && 5) + (text.includes(word) && 1)
    if (points === 0) return 0
    sum += points
  }
  return lang === language ? sum + 1000 : sum
}

/** A page is a file in a static site, and a folder's own page is the folder in the service. */
function addressOf(path) {
  const [name, anchor = ''] = path.split('#')
  const file = ending ? `${name}${ending}` : name.replace(/(^|\/)index$/, '$1')
  return new URL(`${file}${anchor && `#${anchor}`}`, root)
}

function show(entries) {
  const links = entries.map(({ lang, path, page: title, heading, text }) => {
    const link = document.createElement('a')
    link.href = addressOf(path)
    link.textContent = heading === title ? title : `${title}: ${heading}`
    const small = document.createElement('small')
    small.textContent = lang === language ? text.slice(0, 120) : `(${other}) ${text.slice(0, 110)}`
    link.append(small)
    return link
  })
  const none = Object.assign(document.createElement('p'), { textContent: nothing })
  found.replaceChildren(...(links.length > 0 ? links : [none]))
}

async function search() {
  const words = simplified(input.value).split(/\s+/).filter(Boolean)
  if (words.length === 0) return found.replaceChildren()
  const entries = await loadIndex()
  const best = entries
    .map((entry) => ({ entry, points: score(entry, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, another) => another.points - one.points)
  show(best.slice(0, 12).map(({ entry }) => entry))
}

input.addEventListener('focus', loadIndex)
input.addEventListener('input', search)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(input|textarea|select)$/i.test(document.activeElement.tagName)
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    input.focus()
  }
  if (!box.contains(document.activeElement)) return
  const stops = [input, ...found.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step) {
    event.preventDefault()
    stops.at((at + step) % stops.length).focus()
  }
  if (event.key === 'Escape') {
    found.replaceChildren()
    input.focus()
  }
})
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) found.replaceChildren()
})
