import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestOver, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from './guard.ts'

interface ProxyLimits {
  /** Most bytes received over all connections together. */
  maxBytes: number
  /** Most concurrent connections. */
  maxSockets: number
  /** Timeout of a connection attempt, and of an idle connection. */
  idleMs: number
}

/** Hop-by-hop headers. */
const hopByHop = new Set([
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
 * The only way out for a program that opens its own connections, such as a browser: it is configured to use this proxy,
 * and the guard resolves, checks and dials each connection. Every failure to connect gets the same response.
 */
export class ForwardProxy {
  readonly #guard: Guard
  readonly #limits: ProxyLimits
  readonly #server: Server
  readonly #closing = new AbortController()
  readonly #sockets = new Set<Duplex>()
  readonly #failures = new Map<string, RunFailure>()
  #refusal: RunFailure | undefined
  #allowPort = () => {}
  #active = 0
  #bytes = 0
  #connections = 0
  #refused = 0

  private constructor(guard: Guard, limits: ProxyLimits) {
    this.#guard = guard
    this.#limits = limits
    this.#server = createServer({ maxHeaderSize: 65_536, requestTimeout: 0, keepAliveTimeout: 5_000 })
    this.#server.maxConnections = 4 * limits.maxSockets
    this.#server.on('request', (request, response) => void this.#forward(request, response))
    this.#server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head))
    this.#server.on('connection', socket => this.#track(socket))
    this.#server.on('clientError', (_, socket) => socket.destroy())
  }

  /** Listens on a free port of loopback. */
  static async open(guard: Guard, limits: ProxyLimits): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(guard, limits)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    proxy.#allowPort = guard.denyPort(proxy.port)
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
  /** Connections that the guard refused. */
  get refused() {
    return this.#refused
  }
  get isFull() {
    return this.#bytes > this.#limits.maxBytes
  }

  /** The guard's most recent refusal. */
  get refusal(): RunFailure | undefined {
    return this.#refusal
  }

  /** Why the first failed connection to the host and port of a URL failed. */
  failureOf({ hostname, port, protocol }: URL): RunFailure | undefined {
    return this.#failures.get(`${bare(hostname)} ${port || (protocol === 'https:' ? 443 : 80)}`)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
    this.#allowPort()
  }

  /** A connection to the host; undefined when refused, failed or over a limit. */
  async #connect(host: string, port: number): Promise<Socket | undefined> {
    if (this.isFull || this.#active >= this.#limits.maxSockets) return
    this.#active++
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.idleMs)])
    try {
      const { socket } = await this.#guard.connect({ host, port, signal })
      socket.on('close', () => this.#active--)
      if (this.#closing.signal.aborted) return void socket.destroy()
      this.#connections++
      this.#track(socket)
      return socket
    } catch (error) {
      this.#active--
      if (!(error instanceof RunFailure)) throw error
      if (error.code === 'blocked') {
        this.#refused++
        this.#refusal = error
      }
      const target = `${host} ${port}`
      if (!this.#failures.has(target) && this.#failures.size < maxFailures) this.#failures.set(target, error)
      return
    }
  }

  /** Gives a socket the idle timeout and closes it with the proxy. */
  #track(socket: Duplex & Partial<Pick<Socket, 'setTimeout'>>) {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    socket.setTimeout?.(this.#limits.idleMs, () => socket.destroy())
  }

  #count(chunk: Buffer) {
    this.#bytes += chunk.length
    if (this.isFull) for (const socket of this.#sockets) socket.destroy()
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer) {
    const target = targetOf(`http://${request.url ?? ''}`)
    const socket = target && (await this.#connect(target.host, target.port))
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

  async #forward(request: IncomingMessage, response: ServerResponse) {
    const refuse = () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { 'content-length': 0 }).end()
    }
    const target = targetOf(request.url ?? '')
    const socket = target && (await this.#connect(target.host, target.port))
    if (!socket) return refuse()
    if (response.destroyed) return socket.destroy()
    response.on('close', () => socket.destroy())
    const upstream = requestOver({
      createConnection: () => socket,
      method: request.method,
      path: target.path,
      headers: [...endToEndHeaders(request.rawHeaders), 'connection', 'close'],
      setHost: false,
      maxHeaderSize: 65_536,
    })
    upstream.on('error', refuse)
    upstream.on('response', answer => {
      answer.on('error', refuse)
      answer.on('data', chunk => this.#count(chunk))
      try {
        response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.rawHeaders))
        answer.pipe(response)
      } catch {
        response.destroy() // Node parses some headers that it refuses to send
      }
    })
    request.pipe(upstream)
  }
}

interface ProxyTarget {
  host: string
  port: number
  path: string
}

/** Host, port and path of a request in absolute form; null for any scheme but http. */
function targetOf(text: string): ProxyTarget | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !url.hostname) return null
  return { host: bare(url.hostname), port: url.port ? Number(url.port) : 80, path: url.pathname + url.search }
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')

/** Raw headers (names and values alternate) without the hop-by-hop ones. */
const endToEndHeaders = (raw: readonly string[]): string[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 && !hopByHop.has(name.toLowerCase()) ? [name, raw[index + 1] ?? ''] : [],
  )
