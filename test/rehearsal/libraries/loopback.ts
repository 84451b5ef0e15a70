/** A client as the LoopBack SDKs are written: login that includes the user, filters as JSON, the bare token, logout. */
import axios from 'axios'

type Login = { id: string; ttl: number; userId?: unknown; user?: { email?: string } }

export function createLoopBackClient(api: string) {
  let token = ''
  const headers = () => ({ Authorization: token })

  return {
    async login(credentials: { email: string; password: string }): Promise<Login> {
      const { data } = await axios.post<Login>(`${api}/users/login`, credentials, {
        params: { include: 'user' },
      })
      token = data.id
      return data
    },
    async find<T>(model: string, filter: object, more: object = {}): Promise<T> {
      const params = { filter: JSON.stringify(filter), ...more }
      return (await axios.get<T>(`${api}/${model}`, { params, headers: headers() })).data
    },
    /** The SDKs send no data, and forget the token afterwards. */
    async logout(): Promise<void> {
      await axios.post(`${api}/users/logout`, undefined, { headers: headers() })
    },
    /** Whether the token is still good. */
    async isLoggedIn(): Promise<boolean> {
      const { status } = await axios.get(`${api}/users/me`, {
        headers: headers(),
        validateStatus: () => true,
      })
      return status === 200
    },
  }
}
