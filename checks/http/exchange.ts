import type { OnReadOpts, Socket } from 'node:net'
import { RunFailure, type RunPhase } from '#contract/check.ts'
import { connectFailure } from '#egress/failures.ts'

export interface HttpAnswer {
  status: number
  version: '1.0' | '1.1'
  headers: AnswerHeaders
  /** The first bytes of the body, as many as were to be kept, still encoded. */
  body: Buffer
  bytes: number
  truncated: boolean
  firstByteMs: number
}

export interface HttpRequest {
  /** Request line, headers and body, ready to be sent; a string is Latin. */
  message: string | Buffer
  isHead: boolean
  /** How much of the body to keep, and how much to read before letting go. */
  keepBytes: number
  maxBytes: number
  /** Whether the body of an answer with this status is worth reading; it always is when left out. */
  wantsBody?: (status: number) => boolean
  /**
   * Is handed the body piece by piece; the bytes are its own only until it returns. Nothing more is read until the promise
   * is kept; `false`: nothing more is wanted.
   */
  onBody?: (part: Buffer, headers: AnswerHeaders) => Promise<boolean>
}

const maxHeadBytes = 65_536
const maxLineBytes = 4_096
const maxInterim = 10

/** All sockets read into one buffer: what is in it is used up before the next read. */
const shared = Buffer.allocUnsafe(65_536)

const nothing = Buffer.alloc(0)

/** Chunks that may be as small as they like, and what the others have on average at the least: each costs as much as a kilobyte. */
const someChunks = 20_000
const fewBytes = 64

/** The first bytes of a buffer with others behind them: in place, or in a buffer of twice the size. */
function withRoom(buffer: Buffer, bytes: number, more: Buffer): Buffer {
  let place = buffer
  if (buffer.length < bytes + more.length) {
    place = Buffer.allocUnsafe(Math.max(2 * buffer.length, bytes + more.length))
    buffer.copy(place, 0, 0, bytes)
  }
  more.copy(place, bytes)
  return place
}

type State = 'head' | 'length' | 'close' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'done'

/**
 * One HTTP/1.1 request and its answer, on a connection of its own that is closed afterwards. Written out because a
 * client made for reuse costs several times the look itself (bench/probe-rate). Reads no more than it is told to keep.
 */
export class Exchange {
  readonly onread: OnReadOpts = { buffer: shared, callback: count => this.#read(shared.subarray(0, count)) }
  readonly #request: HttpRequest
  #state: State = 'head'
  /** Bytes of a head, a chunk's size or a trailer that are not complete yet, and room for more: they may come one by one. */
  #pending: Buffer = nothing
  #pendingBytes = 0
  /** Where to look on for the end of what is pending. */
  #scanned = 0
  /** Bytes left of the body or of the chunk. */
  #left = 0
  #interim = 0
  #status = 0
  #version: '1.0' | '1.1' = '1.1'
  #headers: AnswerHeaders | undefined
  #kept: Buffer = nothing
  #keptBytes = 0
  #chunks = 0
  #bytes = 0
  #truncated = false
  #sentAt = 0
  #firstByteAt = 0
  /** Pieces of the body that are being worked on. */
  #open = 0
  #socket: Socket | undefined
  #settle: ((failure?: RunFailure) => void) | undefined

  constructor(request: HttpRequest) {
    this.#request = request
  }

  /** Sends over a connection that was opened with `onread` of this exchange. */
  run(socket: Socket, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const stop = () =>
        this.#fail('timeout', this.#firstByteAt ? 'The answer did not end in time.' : 'There was no answer in time.')
      this.#settle = failure => {
        this.#settle = undefined
        this.#state = 'done'
        signal.removeEventListener('abort', stop)
        socket.destroy()
        if (failure) reject(failure)
        else resolve(this.#answer())
      }
      this.#socket = socket
      const end = () => this.#end()
      socket.on('error', error => this.#settle?.(connectFailure(error, this.#phase)))
      socket.on('end', end)
      socket.on('close', end)
      this.#sentAt = performance.now()
      if (typeof this.#request.message === 'string') socket.write(this.#request.message, 'latin1')
      else socket.write(this.#request.message)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop)
    })
  }

  get #phase(): RunPhase {
    return this.#state === 'head' ? 'first_byte' : 'body'
  }

  #fail(code: 'timeout' | 'protocol' | 'too_large' | 'reset', message: string) {
    this.#settle?.(new RunFailure(code, this.#phase, message))
  }

  #answer(): HttpAnswer {
    return {
      status: this.#status,
      version: this.#version,
      headers: this.#headers!,
      body: this.#kept.subarray(0, this.#keptBytes),
      bytes: this.#bytes,
      truncated: this.#truncated,
      firstByteMs: this.#firstByteAt - this.#sentAt,
    }
  }

  #read(chunk: Buffer): boolean {
    if (!this.#settle) return true
    if (!this.#firstByteAt) this.#firstByteAt = performance.now()
    let rest = chunk
    if (this.#pendingBytes > 0) {
      this.#pending = withRoom(this.#pending, this.#pendingBytes, chunk)
      rest = this.#pending.subarray(0, this.#pendingBytes + chunk.length)
      this.#pendingBytes = 0
    }
    while (rest.length && this.#settle) rest = this.#step(rest)
    return this.#open === 0
  }

  #hold(data: Buffer) {
    if (data.buffer !== this.#pending.buffer || data.byteOffset !== this.#pending.byteOffset)
      this.#pending = Buffer.from(data)
    this.#pendingBytes = data.length
    // the end may have begun: two of its bytes at most
    this.#scanned = Math.max(0, data.length - 2)
  }

  /** Where the search for an end begins: what was held is not searched again. */
  #resume(): number {
    const from = this.#scanned
    this.#scanned = 0
    return from
  }

  /** Takes what the state can use and gives back the rest; an incomplete line waits in `pending`. */
  #step(data: Buffer): Buffer {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(data)
      case 'length':
      case 'chunk': {
        const part = data.subarray(0, this.#left)
        this.#left -= part.length
        this.#keep(part)
        if (this.#left === 0) {
          if (this.#state === 'length') this.#settle?.()
          else this.#state = 'chunk-end'
        }
        return data.subarray(part.length)
      }
      case 'close':
        this.#keep(data)
        return nothing
      case 'chunk-end':
      case 'size':
      case 'trailer':
        return this.#takeLine(data)
      case 'done':
        return nothing
    }
  }

  #takeHead(data: Buffer): Buffer {
    const from = this.#resume()
    const strict = data.indexOf('\n\r\n', from)
    const lax = data.indexOf('\n\n', from)
    const isLax = lax !== -1 && (strict === -1 || lax < strict)
    const end = isLax ? lax : strict
    if (end === -1 || end > maxHeadBytes) {
      if (!looksLikeHttp(data)) this.#fail('protocol', 'The target does not speak HTTP.')
      else if (data.length > maxHeadBytes) this.#fail('too_large', 'The headers of the answer are too large.')
      else this.#hold(data)
      return nothing
    }
    this.#parseHead(data.toString('latin1', 0, end))
    return data.subarray(end + (isLax ? 2 : 3))
  }

  #parseHead(head: string) {
    const status = statusOf(head)
    if (status === undefined) return this.#fail('protocol', 'The target does not speak HTTP/1.1.')
    if (status < 200 && status !== 101) {
      this.#interim += 1
      if (this.#interim > maxInterim) this.#fail('protocol', 'The target sent too many interim answers.')
      return
    }
    const headers = AnswerHeaders.parse(head)
    if (!headers) return this.#fail('protocol', 'The headers of the answer are malformed.')
    this.#status = status
    this.#version = head.charCodeAt(7) === 48 ? '1.0' : '1.1'
    this.#headers = headers
    this.#frame(status, headers.framing)
  }

  #frame(status: number, { coding, length }: Framing) {
    const hasBody = !this.#request.isHead && status !== 101 && status !== 204 && status !== 304
    if (!hasBody || this.#request.wantsBody?.(status) === false) this.#settle?.()
    else if (coding !== undefined) this.#state = /(^|,)\s*chunked\s*$/i.test(coding) ? 'size' : 'close'
    else if (length === undefined) this.#state = 'close'
    else if (!/^\d{1,15}$/.test(length)) this.#fail('protocol', 'The length of the answer is malformed.')
    else {
      this.#state = 'length'
      this.#left = Number(length)
      if (this.#left === 0) this.#settle?.()
    }
  }

  #takeLine(data: Buffer): Buffer {
    const end = data.indexOf(10, this.#resume())
    if (end === -1 || end > maxLineBytes) {
      if (data.length > maxLineBytes) this.#fail('protocol', 'The chunks of the answer are malformed.')
      else this.#hold(data)
      return nothing
    }
    const line = data.toString('latin1', 0, end > 0 && data[end - 1] === 13 ? end - 1 : end)
    if (this.#state === 'chunk-end') {
      if (line) this.#fail('protocol', 'The chunks of the answer are malformed.')
      this.#state = 'size'
    } else if (this.#state === 'size') {
      const size = /^([0-9a-f]{1,12})\s*(?:;|$)/i.exec(line)?.[1]
      if (size === undefined) this.#fail('protocol', 'The chunks of the answer are malformed.')
      else if (++this.#chunks > someChunks + this.#bytes / fewBytes)
        this.#fail('protocol', 'The chunks of the answer are too small.')
      else {
        this.#left = Number.parseInt(size, 16)
        this.#state = this.#left === 0 ? 'trailer' : 'chunk'
      }
    } else if (line === '') this.#settle?.()
    else if (++this.#interim > 100) this.#fail('too_large', 'The trailers of the answer are too large.')
    return data.subarray(end + 1)
  }

  async #hand(worked: Promise<boolean>) {
    this.#open++
    const goesOn = await worked.catch(() => false)
    this.#open--
    if (!goesOn) {
      this.#truncated = true
      this.#settle?.()
    } else if (this.#open === 0) this.#socket?.resume()
  }

  #keep(part: Buffer) {
    this.#bytes += part.length
    if (this.#request.onBody && this.#headers && part.length) void this.#hand(this.#request.onBody(part, this.#headers))
    const room = this.#request.keepBytes - this.#keptBytes
    if (room > 0) {
      const piece = part.subarray(0, room)
      if (this.#keptBytes === 0) this.#kept = Buffer.from(piece)
      else this.#kept = withRoom(this.#kept, this.#keptBytes, piece)
      this.#keptBytes += piece.length
    }
    if (this.#bytes < this.#request.maxBytes) return
    const isAll = this.#state === 'length' && this.#left === 0 && this.#bytes === this.#request.maxBytes
    this.#truncated = !isAll
    this.#settle?.()
  }

  #end() {
    if (!this.#settle) return
    if (this.#state === 'close') this.#settle()
    else if (!this.#firstByteAt) this.#fail('reset', 'The target closed the connection without an answer.')
    else this.#fail('reset', 'The target closed the connection before the end of its answer.')
  }
}

const looksLikeHttp = (data: Buffer) => 'HTTP/1.'.startsWith(data.toString('latin1', 0, Math.min(7, data.length)))

interface Framing {
  coding: string | undefined
  length: string | undefined
}

/** The status of `HTTP/1.1 200 OK`, taken by position. */
function statusOf(head: string): number | undefined {
  const minor = head.charCodeAt(7)
  if (!head.startsWith('HTTP/1.') || (minor !== 48 && minor !== 49) || head.charCodeAt(8) !== 32) return
  const status = (head.charCodeAt(9) - 48) * 100 + (head.charCodeAt(10) - 48) * 10 + (head.charCodeAt(11) - 48)
  const after = head.charCodeAt(12)
  return status >= 100 &&
    status <= 999 &&
    /^\d{3}$/.test(head.slice(9, 12)) &&
    (Number.isNaN(after) || after === 32 || after === 13 || after === 10)
    ? status
    : undefined
}

/**
 * The head of an answer. Only what frames the body, and its type, is read at once; few looks ask for more.
 */
export class AnswerHeaders {
  readonly framing: Framing
  readonly contentType: string | undefined
  readonly #head: string
  #all: Map<string, string[]> | undefined

  private constructor(head: string, framing: Framing, contentType: string | undefined) {
    this.#head = head
    this.framing = framing
    this.contentType = contentType
  }

  /** Undefined if it is malformed: a line without a colon, or lengths that contradict each other. */
  static parse(head: string): AnswerHeaders | undefined {
    let coding: string | undefined
    let length: string | undefined
    let contentType: string | undefined
    for (let at = head.indexOf('\n') + 1; at > 0; ) {
      const next = head.indexOf('\n', at)
      const colon = head.indexOf(':', at)
      if (colon <= at || (next !== -1 && colon > next)) return
      const size = colon - at
      if (size === 12 || size === 14 || size === 17) {
        const name = head.slice(at, colon).toLowerCase()
        const value = head.slice(colon + 1, next === -1 ? head.length : next).trim()
        if (name === 'content-type') contentType = value
        else if (name === 'content-length') {
          if (length !== undefined && length !== value) return
          length = value
        } else if (name === 'transfer-encoding') coding = coding === undefined ? value : `${coding}, ${value}`
      }
      at = next + 1
    }
    return new AnswerHeaders(head, { coding, length }, contentType)
  }

  /** By name in lower case; the values of a repeated one are joined by commas. */
  get(name: string): string | undefined {
    return this.each(name)?.join(', ')
  }

  /** As `get`, the values one by one: those of set-cookie hold commas themselves. */
  each(name: string): readonly string[] | undefined {
    this.#all ??= readAll(this.#head)
    return this.#all.get(name)
  }
}

function readAll(head: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let at = head.indexOf('\n') + 1; at > 0; ) {
    const next = head.indexOf('\n', at)
    const colon = head.indexOf(':', at)
    const name = head.slice(at, colon).trimEnd().toLowerCase()
    const value = head.slice(colon + 1, next === -1 ? head.length : next).trim()
    const before = headers.get(name)
    if (before) before.push(value)
    else headers.set(name, [value])
    at = next + 1
  }
  return headers
}
