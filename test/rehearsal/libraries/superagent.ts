import superagent from 'superagent'
import type { Forms } from './library.ts'

export const superagentForms: Forms = {
  'superagent.post(url)': async (url, token) => await superagent.post(url).set('Authorization', token),
  "superagent.post(url).send('')": async (url, token) =>
    await superagent.post(url).set('Authorization', token).send(''),
}
