import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * A receiver of webhooks in a process of its own: it answers at once, or after `HANG_MS`.
 * `GET /` says what arrived since the last time it was asked: how much, how much of it twice, and when each event came.
 */
const hangMs = Number(process.env.HANG_MS ?? 0)
const secret = process.env.WEBHOOK_SECRET ?? ''

let seen = new Set<string>()
let arrivals: [event: string, path: string, at: number][] = []
let wrong = 0
let twice = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ arrivals, twice, wrong }))
      arrivals = []
      seen = new Set()
      twice = 0
      return
    }
    const at = performance.timeOrigin + performance.now()
    const body = Buffer.concat(chunks)
    const id = String(request.headers['webhook-id'])
    if (seen.has(id)) twice++
    seen.add(id)
    if (request.headers['x-webhook-signature'] !== createHmac('sha256', secret).update(body).digest('hex')) wrong++
    arrivals.push([/"incident_id":"([^"]+)"/.exec(body.toString())?.[1] ?? '', request.url ?? '', at])
    if (hangMs > 0) setTimeout(() => response.end('ok'), hangMs)
    else response.end('ok')
  })
})
server.on('connection', socket => socket.on('error', () => undefined))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
