import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestOver, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from './guard.ts'

interface Bounds {
  /** Bytes that may come in, over all connections. */
  maxBytes: number
  /** Connections at a time. */
  maxSockets: number
  /** How long a connection may take to be made, and how long it may then be silent. */
  idleMs: number
}

/** Meant for the next hop alone. */
const ofTheHop = new Set([
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const maxFailures = 200

/**
 * The way out for a program that opens connections of its own, such as a browser: it is told to use this proxy and
 * nothing else, and each of its connections passes the guard, which resolves, vets and dials.
 * Whatever keeps it from connecting, the answer is the same.
 */
export class ForwardProxy {
  readonly #guard: Guard
  readonly #bounds: Bounds
  readonly #server: Server
  readonly #closing = new AbortController()
  readonly #sockets = new Set<Duplex>()
  readonly #failures = new Map<string, RunFailure>()
  #refusal: RunFailure | undefined
  #reaching = 0
  #bytes = 0
  #connections = 0
  #refused = 0

  private constructor(guard: Guard, bounds: Bounds) {
    this.#guard = guard
    this.#bounds = bounds
    this.#server = createServer({ maxHeaderSize: 65_536, requestTimeout: 0, keepAliveTimeout: 5_000 })
    this.#server.maxConnections = 4 * bounds.maxSockets
    this.#server.on('request', (request, response) => void this.#pass(request, response))
    this.#server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head))
    this.#server.on('connection', socket => this.#keep(socket))
    this.#server.on('clientError', (_, socket) => socket.destroy())
  }

  /** On a free port of loopback. */
  static async open(guard: Guard, bounds: Bounds): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(guard, bounds)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
  get bytes() {
    return this.#bytes
  }
  get connections() {
    return this.#connections
  }
  /** Connections that the guard did not let out. */
  get refused() {
    return this.#refused
  }
  get isFull() {
    return this.#bytes > this.#bounds.maxBytes
  }

  /** The guard’s word, where it kept a connection in. */
  get refusal(): RunFailure | undefined {
    return this.#refusal
  }

  /** Why the place of a URL was not reached, the first time it was not. */
  failureOf({ hostname, port, protocol }: URL): RunFailure | undefined {
    return this.#failures.get(`${bare(hostname)} ${port || (protocol === 'https:' ? 443 : 80)}`)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** A connection to the host, or undefined: too many, too much, or not to be reached. */
  async #reach(host: string, port: number): Promise<Socket | undefined> {
    if (this.isFull || this.#reaching >= this.#bounds.maxSockets) return
    this.#reaching++
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#bounds.idleMs)])
    try {
      const { socket } = await this.#guard.connect({ host, port, signal })
      socket.on('close', () => this.#reaching--)
      if (this.#closing.signal.aborted) return void socket.destroy()
      this.#connections++
      this.#keep(socket)
      return socket
    } catch (error) {
      this.#reaching--
      if (!(error instanceof RunFailure)) throw error
      if (error.code === 'blocked') {
        this.#refused++
        this.#refusal = error
      }
      const place = `${host} ${port}`
      if (!this.#failures.has(place) && this.#failures.size < maxFailures) this.#failures.set(place, error)
      return
    }
  }

  /** Bounded in time, and gone with the proxy. */
  #keep(socket: Duplex & Partial<Pick<Socket, 'setTimeout'>>) {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    socket.setTimeout?.(this.#bounds.idleMs, () => socket.destroy())
  }

  #count(chunk: Buffer) {
    this.#bytes += chunk.length
    if (this.isFull) for (const socket of this.#sockets) socket.destroy()
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer) {
    const way = wayOf(`http://${request.url ?? ''}`)
    const socket = way && (await this.#reach(way.host, way.port))
    if (!socket || client.destroyed) {
      socket?.destroy()
      return client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.write(head)
    socket.on('data', chunk => this.#count(chunk))
    socket.on('close', () => client.destroy())
    client.on('close', () => socket.destroy())
    socket.pipe(client)
    client.pipe(socket)
  }

  async #pass(request: IncomingMessage, response: ServerResponse) {
    const refuse = () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'content-length': 0 }).end()
    }
    const way = wayOf(request.url ?? '')
    const socket = way && (await this.#reach(way.host, way.port))
    if (!socket) return refuse()
    if (response.destroyed) return socket.destroy()
    response.on('close', () => socket.destroy())
    const upstream = requestOver({
      createConnection: () => socket,
      method: request.method,
      path: way.path,
      headers: [...onward(request.rawHeaders), 'connection', 'close'],
      setHost: false,
      maxHeaderSize: 65_536,
    })
    upstream.on('error', refuse)
    upstream.on('response', answer => {
      answer.on('error', refuse)
      answer.on('data', chunk => this.#count(chunk))
      try {
        response.writeHead(answer.statusCode ?? 502, onward(answer.rawHeaders))
        answer.pipe(response)
      } catch {
        response.destroy() // a header that may be received, yet not sent
      }
    })
    request.pipe(upstream)
  }
}

interface Onward {
  host: string
  port: number
  path: string
}

/** Where a request in absolute form goes; null for anything but plain http. */
function wayOf(text: string): Onward | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !url.hostname) return null
  return { host: bare(url.hostname), port: url.port ? Number(url.port) : 80, path: url.pathname + url.search }
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')

/** Names and values in turn, as they came, without those for this hop. */
const onward = (raw: readonly string[]): string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && !ofTheHop.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ''] : [],
  )
