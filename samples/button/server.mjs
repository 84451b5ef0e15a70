// Serves the page, and places its calls: the token stays here. PORT=8080 EXTENSION=1000 node server.mjs [button.html]
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiError, NetworkError, Ramal } from '@ramal/client'

const { PORT = '8080', EXTENSION: extension, RAMAL_URL: baseUrl, RAMAL_TOKEN: token } = process.env
const ramal = new Ramal({ baseUrl, token })
const page = process.argv[2] ?? 'button.html'

createServer(async (request, response) => {
  const refuse = (status, reason) => response.writeHead(status).end(reason)
  try {
    if (request.method !== 'POST') return response.end(await readFile(page))
    // Here you know who is logged in, and so whose extension rings. Pages of others must not place calls:
    if (request.headers['sec-fetch-site'] !== 'same-origin') return refuse(403, 'Not from this page.')
    const { id } = await ramal.calls.place({ extension, called: await text(request) })
    response.end(`Calling: ${id}`)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    if (error instanceof ApiError) return refuse(error.status, error.message)
    if (error instanceof NetworkError) return refuse(502, 'The telephone service cannot be reached.')
    if (error.code === 'ENOENT') return refuse(404, `There is no ${page} here: copy it, or name your page.`)
    refuse(500, 'This server has a problem.')
  }
}).listen(Number(PORT), '127.0.0.1')
