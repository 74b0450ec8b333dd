import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rateKeyOfIp } from '#control-plane/http/rate.ts'

export interface ConnectionLimits {
  /** Of all callers together. */
  inAll: number
  /** Of one address; infinite behind a proxy, whose address all callers have. */
  ofOneAddress: number
  /** How long an answer may wait to be read, and how many of its bytes must be read in each second beyond that. */
  unreadMs: number
  unreadBytesPerS: number
}

/** Why a connection was closed before its time. */
export type CutReason = 'full' | 'address' | 'unread'

interface Connection {
  address: string
  exchanges: Set<Exchange>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  endedAt: number | undefined
}

const cutEveryMs = 1_000

/**
 * Keeps connections within their number: whoever comes when all are taken, or all of an address, takes the place of the one on which
 * nothing was asked for longest. One whose request is still on its way, or whose answer is not read, goes after those; one that we
 * work for, such as an agent's stream, stays.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #onCut: (reason: CutReason) => void
  readonly #all = new Map<Socket, Connection>()
  /** Those on which nothing is asked, the idlest first; of all callers, and of each. */
  readonly #idle = new Set<Socket>()
  readonly #ofAddress = new Map<string, { all: Set<Socket>; idle: Set<Socket> }>()

  constructor(server: Server, limits: ConnectionLimits, onCut: (reason: CutReason) => void) {
    this.#limits = limits
    this.#onCut = onCut
    server.on('connection', socket => this.#come(socket))
    server.on('request', (request, response) => this.#ask(request, response))
    const timer = setInterval(() => this.#cutUnread(), cutEveryMs).unref()
    server.once('close', () => clearInterval(timer))
  }

  #come(socket: Socket): void {
    const address = rateKeyOfIp(socket.remoteAddress ?? '')
    const siblings = this.#ofAddress.get(address) ?? { all: new Set(), idle: new Set() }
    const reason = this.#makeRoom(siblings)
    if (reason) {
      this.#destroy(socket, reason)
      return
    }
    this.#ofAddress.set(address, siblings)
    siblings.all.add(socket)
    this.#all.set(socket, { address, exchanges: new Set() })
    this.#rest(socket, address)
    socket.once('close', () => this.#forget(socket, address))
  }

  /** Undefined when there is room for one more; else why there is none. */
  #makeRoom(siblings: { all: Set<Socket>; idle: Set<Socket> }): CutReason | undefined {
    const { ofOneAddress, inAll } = this.#limits
    if (
      siblings.all.size >= ofOneAddress &&
      !this.#cut(idlestOf(siblings.idle) ?? this.#stalled(siblings.all), 'address')
    )
      return 'address'
    if (this.#all.size >= inAll && !this.#cut(idlestOf(this.#idle) ?? this.#stalled(this.#all.keys()), 'full'))
      return 'full'
    return undefined
  }

  #ask(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#all.get(socket)
    if (!connection) return
    const exchange: Exchange = { request, response, endedAt: undefined }
    connection.exchanges.add(exchange)
    this.#idle.delete(socket)
    this.#ofAddress.get(connection.address)?.idle.delete(socket)
    response.once('close', () => {
      connection.exchanges.delete(exchange)
      if (connection.exchanges.size === 0 && this.#all.has(socket)) this.#rest(socket, connection.address)
    })
  }

  #rest(socket: Socket, address: string): void {
    this.#idle.add(socket)
    this.#ofAddress.get(address)?.idle.add(socket)
  }

  #forget(socket: Socket, address: string): void {
    this.#all.delete(socket)
    this.#idle.delete(socket)
    const siblings = this.#ofAddress.get(address)
    siblings?.all.delete(socket)
    siblings?.idle.delete(socket)
    if (siblings?.all.size === 0) this.#ofAddress.delete(address)
  }

  /** The first that does not wait for us, but we for it. */
  #stalled(sockets: Iterable<Socket>): Socket | undefined {
    for (const socket of sockets) {
      const exchanges = this.#all.get(socket)?.exchanges ?? []
      if ([...exchanges].every(({ request, response }) => !request.complete || response.writableEnded)) return socket
    }
    return undefined
  }

  #cut(socket: Socket | undefined, reason: CutReason): boolean {
    const connection = socket && this.#all.get(socket)
    if (!socket || !connection) return false
    this.#forget(socket, connection.address)
    this.#destroy(socket, reason)
    return true
  }

  #destroy(socket: Socket, reason: CutReason): void {
    this.#onCut(reason)
    socket.destroy()
  }

  #cutUnread(): void {
    const now = performance.now()
    for (const [socket, { exchanges }] of this.#all)
      for (const exchange of exchanges) {
        if (!exchange.response.writableEnded || exchange.response.writableFinished) continue
        exchange.endedAt ??= now
        const bytes = Number(exchange.response.getHeader('content-length') ?? socket.writableLength)
        if (now - exchange.endedAt < this.#limits.unreadMs + (1_000 * bytes) / this.#limits.unreadBytesPerS) continue
        this.#cut(socket, 'unread')
        break
      }
  }
}

const idlestOf = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value
