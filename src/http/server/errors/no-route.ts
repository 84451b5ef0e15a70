/** The message of a 404: the route, and how a path of the API begins if this one begins otherwise. */
import type { Translated } from '../../../kit/text/language.ts'
import { basePath } from '../../entry.ts'

/** A base URL with the version and a path with it: `/api/v1/api/v1/calls`. */
const doubled = new RegExp(`^${basePath}/(?:api|v1)(?:/|$)`)

export function noRoute(method: string, path: string): Translated<string> {
  const en = `There is no route ${method} ${path}`
  const pt = `A rota ${method} ${path} não existe`
  if (path.startsWith(`${basePath}/`) && !doubled.test(path)) return { en, pt }
  return {
    en: `${en}. Routes of the API begin with ${basePath}, as in ${basePath}/calls`,
    pt: `${pt}. As rotas da API começam com ${basePath}, como em ${basePath}/calls`,
  }
}
