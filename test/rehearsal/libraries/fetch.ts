/** fetch of Node, which is that of browsers, and node-fetch, which older programs use. */
import nodeFetch from 'node-fetch'
import type { Forms } from './library.ts'

type Answer = { ok: boolean; status: number; text: () => Promise<string> }

async function must(answering: Promise<Answer>) {
  const answer = await answering
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
}

const post = (token: string) => ({ method: 'POST', headers: { Authorization: token } })

export const fetchForms: Forms = {
  "fetch(url, { method: 'POST' })": (url, token) => must(fetch(url, post(token))),
  "fetch with body: ''": (url, token) => must(fetch(url, { ...post(token), body: '' })),
  'fetch with body: new URLSearchParams()': (url, token) =>
    must(fetch(url, { ...post(token), body: new URLSearchParams() })),
  'fetch with body: null and a JSON type': (url, token) => {
    const headers = { Authorization: token, 'Content-Type': 'application/json' }
    return must(fetch(url, { method: 'POST', headers, body: null }))
  },
  "nodeFetch(url, { method: 'POST' })": (url, token) => must(nodeFetch(url, post(token))),
}
