import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** How a target behaves from now on. */
export type Mood = 'up' | 'error' | 'wrong-body' | 'reset' | 'hang' | 'slow' | 'drip' | 'busy'

export interface Seen {
  at: number
  path: string
  mood: Mood
  /** Which region asked, where the test distinguishes them by path or header. */
  agent: string
}

/**
 * A site to be checked, with a log of its own: what it was asked, when, and how it answered. That log is the truth
 * that stored results are compared with. `moods` can differ by path, so that one server is many sites.
 */
export class Site {
  readonly log: Seen[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #moods = new Map<string, Mood>()
  #mood: Mood = 'up'
  #port = 0
  slowMs = 1_500

  constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response))
    this.#server.keepAliveTimeout = 1
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async open(port = 0): Promise<Site> {
    const site = new Site()
    await site.listen(port)
    return site
  }

  async listen(port = this.#port): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** From now on; for one path only, if one is named. Answers the moment of the change. */
  become(mood: Mood, path?: string): number {
    if (path) this.#moods.set(path, mood)
    else this.#mood = mood
    return Date.now()
  }

  /** Nothing listens any more: connections are refused. */
  async vanish(): Promise<number> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
    return Date.now()
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    await this.vanish()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?')[0]!
    const mood = this.#moods.get(path) ?? this.#mood
    this.log.push({ at: Date.now(), path, mood, agent: String(request.headers['user-agent'] ?? '') })
    switch (mood) {
      case 'up':
        response.end('all is well')
        break
      case 'error':
        response.writeHead(500).end('something broke')
        break
      case 'busy':
        response.writeHead(503).end('try later')
        break
      case 'wrong-body':
        response.end('account suspended')
        break
      case 'reset':
        request.socket.resetAndDestroy()
        break
      case 'hang':
        break
      case 'slow':
        setTimeout(() => response.end('all is well'), this.slowMs)
        break
      case 'drip': {
        response.writeHead(200, { 'Content-Length': '100000' })
        const timer = setInterval(() => response.write('.'), 200)
        response.once('close', () => clearInterval(timer))
      }
    }
  }
}
