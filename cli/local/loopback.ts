import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, constants } from 'node:http2'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, isAlive } from './identity.ts'

/** How long an answer may take that says whether a part is ready: a slow machine is not a broken one. */
export const readinessMs = 15_000

/** Requests a URL of one of our parts, or of a store that the operator named. */
export const answers = (url: string, timeoutMs = 2_000): Promise<{ status: number; body: string } | undefined> =>
  new Promise(resolve => {
    const { username, password } = new URL(url)
    const auth = username ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined
    const request = get(url, { timeout: timeoutMs, agent: false, auth }, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => (body = (body + chunk).slice(0, 65_536)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', () => resolve(undefined))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })

/** Asks Temporal's front end by gRPC health without a client library: five bytes of frame around one field. */
export const isTemporalServing = (address: string, timeoutMs = 2_000): Promise<boolean> =>
  new Promise(resolve => {
    const session = connect(`http://${address}`)
    const finish = (isServing: boolean) => {
      clearTimeout(timer)
      session.destroy()
      resolve(isServing)
    }
    const timer = setTimeout(() => finish(false), timeoutMs)
    session.on('error', () => finish(false))
    const service = Buffer.from('temporal.api.workflowservice.v1.WorkflowService')
    const message = Buffer.concat([Buffer.from([0x0a, service.length]), service])
    const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const parts: Buffer[] = []
    stream.on('data', part => parts.push(part))
    stream.on('error', () => finish(false))
    stream.on('end', () => {
      const reply = Buffer.concat(parts)
      finish(reply.length >= 7 && reply[5] === 0x08 && reply[6] === 1) // field 1, SERVING
    })
    stream.end(frame)
  })

/** Waits until the condition is true, the signal aborts or the time is over, if it is limited. */
export async function until(
  holds: () => Promise<boolean>,
  {
    withinMs = Number.POSITIVE_INFINITY,
    everyMs = 100,
    signal,
  }: { withinMs?: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + withinMs
  while (performance.now() < end && !signal?.aborted) {
    if (await holds()) return true
    await sleep(everyMs)
  }
  return false
}

/** Whether the port is free. */
export const isFree = (port: number, host = '127.0.0.1') =>
  new Promise<boolean>(resolve => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** A port below the range of outgoing connections, which could take it before it is used. */
const anyPort = () => 12_000 + Math.floor(Math.random() * 20_000)

/**
 * The requested port or the next free one; 0 means any. It is reserved until this process ends, against concurrent
 * starts.
 */
export async function findPort(wished: number, host = '127.0.0.1'): Promise<number> {
  for (let port = wished || anyPort(); port <= 65_535; port++)
    if (reserve(port) && (await isFree(port, host))) return port
  throw new Error(`No port is free from ${wished} on.`)
}

const reservations = join(tmpdir(), `vedette-ports-${process.getuid?.() ?? 0}`)
const reserved = new Set<string>()

/** Writes an own file, then searches for files of others: of two concurrent processes at least one sees the other. */
function reserve(port: number): boolean {
  const own = join(reservations, `${port}.${process.pid}`)
  if (reserved.has(own)) return false
  mkdirSync(reservations, { recursive: true, mode: 0o700 })
  if (reserved.size === 0) process.once('exit', () => reserved.forEach(giveBack))
  writeFileSync(own, JSON.stringify(identify(process.pid)))
  reserved.add(own)
  const others = readdirSync(reservations).filter(name => name.startsWith(`${port}.`) && name !== basename(own))
  if (!others.some(name => isReserved(join(reservations, name)))) return true
  giveBack(own)
  return false
}

/** An empty file is being written by another process; the file of a dead process is deleted. */
function isReserved(path: string) {
  try {
    const text = readFileSync(path, 'utf8')
    if (text === '' || isAlive(JSON.parse(text))) return true
    rmSync(path, { force: true })
    return false
  } catch {
    return false
  }
}

function giveBack(path: string) {
  reserved.delete(path)
  rmSync(path, { force: true })
}
