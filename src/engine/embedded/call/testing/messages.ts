import { buildRequest as build, type HeaderPairs } from '../../../../sip/message/request.ts'
import { buildResponse } from '../../../../sip/message/response.ts'
import { sipUri } from '../../../../sip/uri/uri.ts'

export const buildRequest = (method: string, headers: HeaderPairs, body = '') =>
  build({ method, uri: sipUri({ host: '127.0.0.1' }), headers, body })

export const buildResponseFor = (status: number) => buildResponse({ method: 'INVITE', headers: [] }, status)
