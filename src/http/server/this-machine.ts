/** Whether a request comes from a user of this machine (D109). */
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../kit/networks.ts'

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * D109: a request that names this machine as its host and passed no proxy. A web page of somebody else that makes its
 * own name resolve to this machine (DNS rebinding) still sends that name.
 */
export function isFromThisMachine({ hostname, headers }: FastifyRequest): boolean {
  return isLoopbackHost(hostname) && proxyHeaders.every((name) => !(name in headers))
}
