import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  at: number
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a receiver reads what it is sent
  body: any
}

const isForm = (type = '') => type.startsWith('application/x-www-form-urlencoded')

/** A receiver of webhooks on this machine, with a log of what it was sent. */
export class Receiver {
  readonly received: Received[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  answer: (request: Received, response: ServerResponse) => void = (_, response) => response.end('ok')

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  at(path: string): Received[] {
    return this.received.filter(each => each.path === path)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const received = {
      at: Date.now(),
      path: request.url ?? '/',
      headers: request.headers,
      text,
      body: text && !isForm(request.headers['content-type']) ? JSON.parse(text) : undefined,
    }
    this.received.push(received)
    this.answer(received, response)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
