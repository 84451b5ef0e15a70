// Serves the page, and places its calls: the token stays here. PORT=8080 EXTENSION=1000 node server.mjs
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiError, Ramal } from '@ramal/client'

const { PORT = '8080', EXTENSION: extension, RAMAL_URL: baseUrl, RAMAL_TOKEN: token } = process.env
const ramal = new Ramal({ baseUrl, token })

createServer(async (request, response) => {
  if (request.method !== 'POST') return response.end(await readFile(process.argv[2] ?? 'button.html'))
  // Here you know who is logged in, and so whose extension rings. Pages of others must not place calls:
  if (request.headers['sec-fetch-site'] !== 'same-origin')
    return response.writeHead(403).end('Not from this page.')
  try {
    const { id } = await ramal.calls.place({ extension, called: await text(request) })
    response.end(`Calling: ${id}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response.writeHead(error.status).end(error.message)
  }
}).listen(Number(PORT), '127.0.0.1')
