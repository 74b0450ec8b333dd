import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How ClickHouse is: as ever; its port is closed; it takes requests and answers none until it is `up` again; inserts
 * fail for want of replicas, or of room on the disk; each insert takes longer.
 */
export type ArchiveMood = 'up' | 'refused' | 'frozen' | 'no quorum' | 'full' | 'slow'

const errors = {
  'no quorum': {
    code: 285,
    text: 'Number of alive replicas (1) is less than requested quorum (2/2)',
    name: 'TOO_FEW_LIVE_REPLICAS',
  },
  full: { code: 243, text: 'Cannot reserve 1.00 MiB, not enough space', name: 'NOT_ENOUGH_SPACE' },
} as const

/** A way to a ClickHouse that can fail as ClickHouse fails. */
export class ArchiveProxy {
  slowMs = 1_000
  /** Inserts that have reached it. */
  inserts = 0
  readonly #target: URL
  readonly #agent = new Agent({ keepAlive: true })
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #mood: ArchiveMood = 'up'
  #thawed = Promise.withResolvers<void>()

  private constructor(target: string) {
    this.#target = new URL(target)
  }

  /** `target`: the address of a database. */
  static async open(target: string): Promise<ArchiveProxy> {
    const proxy = new ArchiveProxy(target)
    await proxy.#listen()
    return proxy
  }

  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${this.#port}`
    return url.toString()
  }

  async become(mood: ArchiveMood): Promise<void> {
    const before = this.#mood
    this.#mood = mood
    if (before === 'frozen') this.#thawed.resolve()
    if (mood === 'frozen') this.#thawed = Promise.withResolvers()
    if (mood === 'refused') await this.#close()
    else await this.#listen()
  }

  async close(): Promise<void> {
    this.#thawed.resolve()
    await this.#close()
    this.#agent.destroy()
  }

  async #listen(): Promise<void> {
    if (this.#server) return
    const server = createServer((asked, response) => void this.#answer(asked, response).catch(() => response.destroy()))
    server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async #close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (!server) return
    server.close()
    await once(server, 'close')
  }

  async #answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#mood === 'frozen') await this.#thawed.promise
    const isInsert = /INSERT/i.test(asked.url ?? '')
    if (isInsert) this.inserts++
    const failure = this.#mood in errors ? errors[this.#mood as keyof typeof errors] : undefined
    if (isInsert && failure) {
      asked.resume()
      await once(asked, 'end')
      const text = `Code: ${failure.code}. DB::Exception: ${failure.text}. (${failure.name}) (version 25.8.1.1)\n`
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(failure.code) }).end(text)
      return
    }
    if (isInsert && this.#mood === 'slow') await sleep(this.slowMs)
    const sent = request({
      host: this.#target.hostname,
      port: this.#target.port,
      path: asked.url,
      method: asked.method,
      headers: { ...asked.headers, host: this.#target.host },
      agent: this.#agent,
    })
    sent.on('error', () => response.destroy())
    response.on('close', () => sent.destroy())
    asked.pipe(sent)
    sent.on('response', answer => {
      answer.on('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
  }
}

/** A way to any server that can be closed, and cut without a word. */
export class TcpProxy {
  readonly #target: { host: string; port: number }
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #server: ReturnType<typeof createTcpServer> | undefined
  #port = 0
  #isFrozen = false

  private constructor(target: { host: string; port: number }) {
    this.#target = target
  }

  static async open(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    await proxy.become('up')
    return proxy
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  async become(mood: 'up' | 'refused' | 'frozen'): Promise<void> {
    this.#isFrozen = mood === 'frozen'
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (mood === 'refused') socket.destroy()
        else if (mood === 'frozen') socket.pause()
        else socket.resume()
      }
    if (mood === 'refused') return this.close()
    if (this.#server) return
    const server = createTcpServer(socket => this.#join(socket))
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    if (!server) return
    server.close()
    await once(server, 'close')
  }

  #join(socket: Socket): void {
    const target = connect(this.#target)
    const pair = [socket, target] as const
    this.#pairs.add(pair)
    for (const [from, to] of [pair, [target, socket] as const]) {
      from.on('error', () => undefined)
      from.on('data', data => void to.write(data))
      from.once('close', () => {
        this.#pairs.delete(pair)
        to.destroy()
      })
      if (this.#isFrozen) from.pause()
    }
  }
}
