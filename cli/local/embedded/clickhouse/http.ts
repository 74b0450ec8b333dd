import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Engine } from './engine.ts'
import { bind, StatementError } from './parameters.ts'

const maxBodyBytes = 256_000_000
const packs = { gzip: promisify(gzip), gunzip: promisify(gunzip) }

export interface Access {
  user: string
  password: string
}

/** The part of ClickHouse's HTTP interface that its official client uses. Responses are built in memory. */
export const serveHttp = (engine: Engine, access: Access): Server => {
  const server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => {
    answer(engine, access, request, response).catch(error => refuse(response, error))
  })
  server.keepAliveTimeout = 10_000
  server.requestTimeout = 0 // long inserts are not cut; the listener is on loopback and behind a password
  return server
}

/** Parameters of HTTP that are no settings of the engine. */
const httpOnly = new Set([
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'buffer_size',
  'enable_http_compression',
  'http_zlib_compression_level',
  'query',
  'database',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'role',
  'default_format',
])

async function answer(engine: Engine, access: Access, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/ping') return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('Ok.\n')
  if (url.pathname !== '/') return void response.writeHead(404).end('There is no handle here.\n')
  if (!mayEnter(access, request, url.searchParams))
    throw new StatementError(516, 'AUTHENTICATION_FAILED', 'Authentication failed')
  if (request.method !== 'POST' && request.method !== 'GET') return void response.writeHead(501).end()

  const search = url.searchParams
  const body = await readBody(request)
  const { text, values, rows } = readStatement(request, search, body)
  const settings: Record<string, string> = {}
  for (const [name, value] of search) {
    if (name.startsWith('param_')) values.set(name.slice(6), value)
    else if (!httpOnly.has(name)) settings[checkName(name)] = value
  }
  const format = request.headers['x-clickhouse-format']?.toString() ?? search.get('default_format') ?? 'TabSeparated'
  const result = await engine.run({
    sql: bind(text, values),
    database: search.get('database') || request.headers['x-clickhouse-database']?.toString() || 'default',
    settings,
    format,
    ...(rows && { body: rows }),
  })

  response.setHeader('Content-Type', 'application/octet-stream')
  response.setHeader('X-ClickHouse-Query-Id', search.get('query_id') ?? '')
  response.setHeader('X-ClickHouse-Server-Display-Name', 'vedette-embedded')
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      read_rows: String(result.rowsRead),
      read_bytes: String(result.bytesRead),
      written_rows: String(result.rowsWritten),
      written_bytes: String(result.bytesWritten),
      result_rows: String(result.rowsRead),
      elapsed_ns: String(Math.round(result.elapsedMs * 1e6)),
    }),
  )
  const isPacked =
    search.get('enable_http_compression') === '1' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (isPacked) response.setHeader('Content-Encoding', 'gzip')
  response.end(isPacked ? await packs.gzip(result.bytes, { level: 1 }) : result.bytes)
}

/** As in the server: a query in the URL runs with the body as its data; else the body is the query. */
function readStatement(request: IncomingMessage, search: URLSearchParams, body: Buffer) {
  const values = new Map<string, string>()
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/.exec(request.headers['content-type'] ?? '')?.[1]
  if (boundary) {
    for (const [name, value] of readForm(body.toString('utf8'), boundary))
      values.set(name.replace(/^param_/, ''), value)
    return { text: search.get('query') ?? values.get('query') ?? '', values, rows: undefined }
  }
  const text = search.get('query')
  return text === null
    ? { text: body.toString('utf8'), values, rows: undefined }
    : { text, values, rows: body.length > 0 ? body : undefined }
}

function* readForm(text: string, boundary: string): Generator<[string, string]> {
  for (const part of text.split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n')
    const name = /name="([^"]*)"/.exec(part.slice(0, end))?.[1]
    if (end !== -1 && name) yield [name, part.slice(end + 4).replace(/\r\n$/, '')]
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBodyBytes) request.destroy(new StatementError(307, 'TOO_MANY_BYTES', 'The body is too large'))
    else chunks.push(chunk)
  })
  await once(request, 'end')
  const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  const encoding = request.headers['content-encoding']
  if (!encoding || encoding === 'identity') return body
  if (encoding !== 'gzip')
    throw new StatementError(117, 'INCORRECT_DATA', `Content-Encoding ${encoding} is not understood`)
  return packs.gunzip(body, { maxOutputLength: maxBodyBytes })
}

function mayEnter(access: Access, request: IncomingMessage, search: URLSearchParams): boolean {
  const [scheme = '', secret = ''] = (request.headers.authorization ?? '').split(' ')
  const user = request.headers['x-clickhouse-user'] ?? search.get('user') ?? ''
  const password = request.headers['x-clickhouse-key'] ?? search.get('password') ?? ''
  const given = scheme.toLowerCase() === 'basic' ? Buffer.from(secret, 'base64') : Buffer.from(`${user}:${password}`)
  const wanted = Buffer.from(`${access.user}:${access.password}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function checkName(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new StatementError(115, 'UNKNOWN_SETTING', 'Not a name of a setting')
  return name
}

/** Error codes caused by the caller, with the HTTP status of the server. */
const statuses: Record<number, number> = {
  60: 404,
  81: 404,
  62: 400,
  456: 400,
  115: 400,
  27: 400,
  117: 400,
  26: 400,
  47: 404,
  202: 503,
  307: 413,
  516: 401,
  241: 503,
}

function refuse(response: ServerResponse, error: unknown) {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const message = error instanceof Error ? error.message.trim() : String(error)
  const code = Number(/^Code: (\d+)/.exec(message)?.[1] ?? 1001)
  const text = code === 1001 ? `Code: 1001. DB::Exception: ${message} (STD_EXCEPTION)` : message
  response.setHeader('X-ClickHouse-Exception-Code', String(code))
  response.writeHead(statuses[code] ?? 500, { 'Content-Type': 'text/plain; charset=UTF-8' }).end(`${text}\n`)
}
