import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A connection to a store that can be cut and restored while the store goes on. */
export class Relay {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  constructor(target: string) {
    this.#target = new URL(target)
  }

  /** The URL of the store through this relay. The port is known before the relay listens. */
  async url(): Promise<string> {
    if (this.#port === 0) {
      await this.mend()
      await this.cut()
    }
    return this.of(this.#target.toString())
  }

  of(url: string): string {
    const by = new URL(url)
    by.hostname = '127.0.0.1'
    by.port = String(this.#port)
    return by.toString()
  }

  async mend(): Promise<void> {
    const server = createServer(socket => {
      const onward = connect(Number(this.#target.port), this.#target.hostname)
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        this.#sockets.add(from)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
        from.pipe(to)
      }
    })
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async cut(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#server = undefined
  }
}
