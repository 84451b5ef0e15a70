/** Whether a request seems to come from a user of this machine: a hint for what to show, which opens nothing (D109). */
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../kit/networks.ts'

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * It names this machine as its host and passed no proxy. That proves nothing: a proxy may rewrite the host and add no
 * header of its own.
 */
export function isFromThisMachine({ hostname, headers }: FastifyRequest): boolean {
  return isLoopbackHost(hostname) && proxyHeaders.every((name) => !(name in headers))
}
