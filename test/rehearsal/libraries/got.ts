import got from 'got'
import type { Forms } from './library.ts'

const headers = (token: string) => ({ headers: { Authorization: token } })

export const gotForms: Forms = {
  'got.post(url)': (url, token) => got.post(url, headers(token)),
  "got.post(url, { body: '' })": (url, token) => got.post(url, { ...headers(token), body: '' }),
}
