import { Agent, request } from 'node:http'
import { connect } from 'node:net'

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

export interface Asked {
  port: number
  method?: string
  path: string
  token?: string
  body?: unknown
}

/** One request over a kept connection: its status, its text, and the milliseconds until the last byte. */
export const ask = ({
  port,
  method = 'GET',
  path,
  token,
  body,
}: Asked): Promise<{ status: number; text: string; ms: number }> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(payload && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }),
    }
    const started = performance.now()
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - started }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(payload)
  })

let sender = 0

interface Load {
  seconds?: number
  connections?: number
  /** Lines of which each request takes the next, each ending in CRLF. */
  headers?: readonly string[]
}

/**
 * GET requests over so many connections, as fast as they are answered, each from the next of many addresses. Answers
 * a second.
 */
export async function hammer(
  port: number,
  paths: readonly string[],
  { seconds = 3, connections = 16, headers = [''] }: Load = {},
): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let answered = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay()
      let received = ''
      const next = () => {
        sender = (sender + 1) % 60_000
        socket.write(
          `GET ${paths[sender % paths.length]} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: 10.7.${sender >> 8}.${sender & 255}\r\n${headers[sender % headers.length]}\r\n`,
        )
      }
      socket.on('data', chunk => {
        received += chunk.toString('latin1')
        const head = received.indexOf('\r\n\r\n')
        if (head === -1) return
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
        if (received.length < head + 4 + length) return
        if (!received.startsWith('HTTP/1.1 200')) return void reject(new Error(received.slice(0, 300)))
        received = ''
        answered++
        if (performance.now() < until) next()
        else {
          socket.destroy()
          resolve()
        }
      })
      socket.on('error', reject)
      next()
    })
  await Promise.all(Array.from({ length: connections }, one))
  return answered / seconds
}
