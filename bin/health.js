// Ends with 0 if the service of these settings answers /health on this machine: for the health checks of containers.
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'

const { HOST = '', PORT = '', HTTP_TLS_CERT } = process.env
const anyAddress = { '0.0.0.0': '127.0.0.1', '::': '::1', '': '127.0.0.1' }
const request = HTTP_TLS_CERT ? secure : plain

request({
  host: anyAddress[HOST] ?? HOST,
  port: Number(PORT) || 3000,
  path: '/health',
  timeout: 2_000,
  // The certificate is for the public name, and the service is on this machine.
  rejectUnauthorized: false,
})
  .on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end()
