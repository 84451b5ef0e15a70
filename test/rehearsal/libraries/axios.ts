import axios from 'axios'
import type { Forms } from './library.ts'

const config = (token: string) => ({ headers: { Authorization: token } })

export const axiosForms: Forms = {
  'axios.post(url, null, config)': (url, token) => axios.post(url, null, config(token)),
  'axios.post(url, undefined, config)': (url, token) => axios.post(url, undefined, config(token)),
  "axios.post(url, '', config)": (url, token) => axios.post(url, '', config(token)),
  'axios.post(url, {}, config)': (url, token) => axios.post(url, {}, config(token)),
  'axios({ method, url, headers })': (url, token) => axios({ method: 'post', url, ...config(token) }),
}
