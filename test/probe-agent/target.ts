import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A site that keeps a log of every request it got. */
export class Target {
  readonly log: { at: number; path: string }[] = []
  answer: (response: ServerResponse, path: string) => void = response => response.end('ok')
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((request, response) => {
    this.log.push({ at: performance.timeOrigin + performance.now(), path: request.url ?? '' })
    this.answer(response, request.url ?? '')
  })

  static async open(): Promise<Target> {
    const target = new Target()
    target.#server.on('connection', socket => {
      target.#sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => target.#sockets.delete(socket))
    })
    target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    return target
  }

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  url(path: string) {
    return `http://127.0.0.1:${this.port}/${path}`
  }

  asked(path: string) {
    return this.log.filter(entry => entry.path === `/${path}`)
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
