import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ConnectionLimits, Connections, type CutReason } from './connections.ts'

/**
 * Limits for slow clients: headers within ten seconds, a request within thirty, checked four times a second: of
 * thousands of clients few are refused in one turn.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 250,
  keepAliveTimeout: 65_000,
}
/** A connection without traffic for this long is closed: its client does not read the response. */
const stillMs = 75_000
const maxHeaders = 100
/** How long a refused client may read the reason. */
const refusedMs = 1_000
const connectionLimits: ConnectionLimits = {
  inAll: 8_192,
  ofOneAddress: Number.POSITIVE_INFINITY,
  unreadMs: 10_000,
  unreadBytesPerS: 16_384,
  arriving: 2_048,
  // as Apache's mod_reqtimeout asks by default of bodies
  arrivingMs: 5_000,
  arrivingBytesPerS: 500,
}

export interface Listening {
  server: Server
  url: string
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  host: string
  port: number
  handle: RequestListener
  limits?: Partial<ConnectionLimits>
  onCut?: (reason: CutReason) => void
}

/** An HTTP server with our limits; port 0 takes any free one. */
export async function listen({
  host,
  port,
  handle,
  limits,
  onCut = () => undefined,
}: ListenOptions): Promise<Listening> {
  const server = createServer({ ...timeouts, requireHostHeader: true, maxHeaderSize: 16_384 }, handle)
  server.timeout = stillMs
  server.maxHeadersCount = maxHeaders
  new Connections(server, { ...connectionLimits, ...limits }, onCut)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const { status, message, code } = refusalOf(error.code)
    const body = JSON.stringify({ message, code })
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    // a client that keeps sending without reading would hold the connection open
    setTimeout(() => socket.destroy(), refusedMs).unref()
  })
  server.listen({ host, port })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  const { port: bound } = server.address() as AddressInfo
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return { server, url: `http://${shown}:${bound}`, close: graceMs => close(server, graceMs) }
}

/** Requests that never reach a handler are refused in the format of the API. */
const refusalOf = (code: string | undefined) => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: '431 Request Header Fields Too Large',
      message: 'The address and headers of a request have at most 16 KB.',
      code: 'headers_too_large',
    }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: '408 Request Timeout', message: 'The request took too long to arrive.', code: 'request_timeout' }
  return { status: '400 Bad Request', message: 'This is not a request we can read.', code: 'malformed' }
}

/** Stops accepting connections, lets requests finish, and closes the rest after the grace period. */
function close(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const forced = setTimeout(() => server.closeAllConnections(), graceMs)
    // a connection that has just answered its last request is idle only now
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(forced)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
