import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { mayExceed } from '#control-plane/http/body.ts'
import { rateKeyOfIp } from '#control-plane/http/rate.ts'

export interface ConnectionLimits {
  /** Of all callers together. */
  inAll: number
  /** Of one address; infinite behind a proxy, whose address all callers have. */
  ofOneAddress: number
  /** How long a response may stay unread, and how many bytes a second the client must read after that. */
  unreadMs: number
  unreadBytesPerS: number
  /** Requests whose bodies are still on their way. */
  arriving: number
  /** How long a body may be on its way, and how many bytes a second must arrive of one that takes longer. */
  arrivingMs: number
  arrivingBytesPerS: number
}

/** Why a connection was closed before its time. */
export type CutReason = 'full' | 'address' | 'unread' | 'slow'

interface Connection {
  address: string
  exchanges: Set<Exchange>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  endedAt: number | undefined
}

interface Arriving {
  request: IncomingMessage
  startedAt: number
  bytesBefore: number
}

const cutEveryMs = 1_000

/**
 * Limits connections in all and by address. At a limit a new connection replaces the one that was idle for longest,
 * then one with an incomplete request or an unread response. A connection with a request in progress, such as an
 * agent's stream, stays.
 *
 * Bodies that arrive byte by byte wake the process for each of them, thousands at one moment: who sends one slower than
 * any usable line is cut, and beyond a number of bodies on their way the oldest of them.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #onCut: (reason: CutReason) => void
  readonly #all = new Map<Socket, Connection>()
  /** Connections without a request, idle for longest first; of all callers, and of each. */
  readonly #idle = new Set<Socket>()
  readonly #ofAddress = new Map<string, { all: Set<Socket>; idle: Set<Socket> }>()
  /** Oldest first; those that have arrived are dropped later. */
  readonly #arriving = new Set<Arriving>()

  constructor(server: Server, limits: ConnectionLimits, onCut: (reason: CutReason) => void) {
    this.#limits = limits
    this.#onCut = onCut
    server.on('connection', socket => this.#come(socket))
    server.on('request', (request, response) => this.#ask(request, response))
    const timer = setInterval(() => {
      this.#cutUnread()
      this.#cutSlow()
    }, cutEveryMs).unref()
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

  /** Makes room for a connection; returns undefined, or why there is none. */
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
    if (mayExceed(request, 0)) this.#arrive(request)
    this.#idle.delete(socket)
    this.#ofAddress.get(connection.address)?.idle.delete(socket)
    response.once('close', () => {
      connection.exchanges.delete(exchange)
      if (connection.exchanges.size === 0 && this.#all.has(socket)) this.#rest(socket, connection.address)
    })
  }

  #arrive(request: IncomingMessage): void {
    if (this.#arriving.size >= this.#limits.arriving) this.#forgetArrived()
    for (const oldest of this.#arriving) {
      if (this.#arriving.size < this.#limits.arriving) break
      this.#arriving.delete(oldest)
      this.#cut(oldest.request.socket, 'slow')
    }
    this.#arriving.add({ request, startedAt: performance.now(), bytesBefore: request.socket.bytesRead })
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

  /** The first connection whose client we wait for. */
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

  #forgetArrived(): void {
    for (const each of this.#arriving) if (each.request.complete || each.request.destroyed) this.#arriving.delete(each)
  }

  #cutSlow(): void {
    const { arrivingMs, arrivingBytesPerS } = this.#limits
    const now = performance.now()
    this.#forgetArrived()
    for (const each of this.#arriving) {
      const { request, startedAt, bytesBefore } = each
      // what is not taken from a full buffer is late by our fault
      if (now - startedAt < arrivingMs || request.readableLength >= request.readableHighWaterMark) continue
      if (request.socket.bytesRead - bytesBefore >= (arrivingBytesPerS * (now - startedAt)) / 1_000) continue
      this.#arriving.delete(each)
      this.#cut(request.socket, 'slow')
    }
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
