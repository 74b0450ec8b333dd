import type { OnReadOpts, Socket } from 'node:net'
import { readable } from '#checks/readable.ts'
import { RunFailure, type RunPhase } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'

export interface HttpAnswer {
  status: number
  version: '1.0' | '1.1'
  headers: AnswerHeaders
  /** The first bytes of the body up to `keepBytes`, still encoded. */
  body: Buffer
  bytes: number
  truncated: boolean
  /** The body was cut because the time was over. */
  isLate: boolean
  firstByteMs: number
}

export interface HttpRequest {
  /** Request line, headers and body, ready to send; a string is Latin-1. */
  message: string | Buffer
  isHead: boolean
  /** How many bytes of the body to keep, and how many to read before closing. */
  keepBytes: number
  maxBytes: number
  /** Whether to read the body of a response; by default always. Without it, the response ends with its head. */
  wantsBody?: (status: number, headers: AnswerHeaders) => boolean
  /**
   * Whether what was kept of the body suffices. Asked a quarter of a second after the head, if the body has not ended
   * by then, and at growing intervals: nothing waits for what it does not need.
   */
  isEnough?: (body: Buffer, status: number, headers: AnswerHeaders) => Promise<boolean>
  /** Whether a body that has not ended in time is cut there; else the run fails. `isFlowing`: it still comes. */
  acceptsPart?: (headers: AnswerHeaders, isFlowing: boolean) => boolean
  /**
   * Receives the body in chunks, which are valid only until it returns. Reading continues once the promise resolves;
   * `false`: stop reading.
   */
  onBody?: (part: Buffer, headers: AnswerHeaders) => Promise<boolean>
}

const maxHeadBytes = 65_536
const maxLineBytes = 4_096
const maxInterim = 10
const firstPeekMs = 250
/** Most empty lines before a status line. */
const maxLeadingBytes = 16

/** All sockets read into one buffer: its contents are used up before the next read. */
const shared = Buffer.allocUnsafe(65_536)

const nothing = Buffer.alloc(0)

/**
 * Limits many tiny chunks: this many may have any size, and the others must average this size, because each costs as
 * much as a kilobyte.
 */
const freeChunks = 20_000
const minChunkBytes = 64

/** Appends bytes to the start of a buffer: in place, or in a buffer of twice the size. */
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
 * One HTTP/1.1 request and its response, on a new connection that is closed afterwards. Written by hand because a
 * client with keep-alive costs several times the run itself (bench/probe-rate). Keeps no more than `keepBytes`.
 */
export class Exchange {
  readonly onread: OnReadOpts = { buffer: shared, callback: count => this.#read(shared.subarray(0, count)) }
  readonly #request: HttpRequest
  #state: State = 'head'
  /** An incomplete head, chunk size or trailer, in a buffer with room for more: its bytes may arrive one by one. */
  #pending: Buffer = nothing
  #pendingBytes = 0
  /** Where the search for the end of `pending` continues. */
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
  #isLate = false
  #peekMs = firstPeekMs
  #peekTimer: NodeJS.Timeout | undefined
  #sentAt = 0
  #firstByteAt = 0
  #lastByteAt = 0
  /** Chunks that `onBody` is still processing. */
  #open = 0
  #socket: Socket | undefined
  #settle: ((failure?: RunFailure) => void) | undefined

  constructor(request: HttpRequest) {
    this.#request = request
  }

  /** Sends over a connection that was opened with `onread` of this exchange. */
  run(socket: Socket, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const stop = () => this.#stop()
      this.#settle = failure => {
        this.#settle = undefined
        this.#state = 'done'
        clearTimeout(this.#peekTimer)
        signal.removeEventListener('abort', stop)
        socket.destroy()
        if (failure) reject(failure)
        else resolve(this.#answer())
      }
      this.#socket = socket
      const end = () => this.#end()
      socket.on('error', error => this.#settle?.(failureOf(error, this.#phase)))
      socket.on('end', end)
      socket.on('close', end)
      this.#sentAt = performance.now()
      if (typeof this.#request.message === 'string') socket.write(this.#request.message, 'latin1')
      else socket.write(this.#request.message)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop)
    })
  }

  /** The time is over. */
  #stop() {
    const now = performance.now()
    const isFlowing = now - this.#lastByteAt < (now - this.#firstByteAt) / 2
    if (this.#headers && this.#request.acceptsPart?.(this.#headers, isFlowing)) {
      this.#truncated = true
      this.#isLate = true
      this.#settle?.()
    } else this.#fail('timeout', this.#firstByteAt ? 'The answer did not end in time.' : 'There was no answer in time.')
  }

  /** Asks whether the body suffices so far, and again, each time twice as late: a body is examined a few times. */
  #peek(headers: AnswerHeaders) {
    this.#peekTimer = setTimeout(async () => {
      const body = this.#kept.subarray(0, this.#keptBytes)
      const isEnough = await this.#request.isEnough?.(body, this.#status, headers).catch(() => false)
      if (!this.#settle) return
      this.#peekMs *= 2
      if (!isEnough) return this.#peek(headers)
      this.#truncated = true
      this.#settle()
    }, this.#peekMs)
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
      isLate: this.#isLate,
      firstByteMs: this.#firstByteAt - this.#sentAt,
    }
  }

  #read(chunk: Buffer): boolean {
    if (!this.#settle) return true
    try {
      return this.#take(chunk)
    } catch (error) {
      // thrown into the socket it would end the process
      this.#settle?.(failureOf(error, this.#phase))
      return true
    }
  }

  #take(chunk: Buffer): boolean {
    this.#lastByteAt = performance.now()
    this.#firstByteAt ||= this.#lastByteAt
    let rest = chunk
    if (this.#pendingBytes > 0) {
      this.#pending = withRoom(this.#pending, this.#pendingBytes, chunk)
      rest = this.#pending.subarray(0, this.#pendingBytes + chunk.length)
      this.#pendingBytes = 0
    }
    while (rest.length && this.#settle) rest = this.#step(rest)
    if (this.#settle && this.#headers && !this.#peekTimer && this.#request.isEnough) this.#peek(this.#headers)
    return this.#open === 0
  }

  #store(data: Buffer) {
    if (data.buffer !== this.#pending.buffer || data.byteOffset !== this.#pending.byteOffset)
      this.#pending = Buffer.from(data)
    this.#pendingBytes = data.length
    // up to two bytes of the delimiter may already be here
    this.#scanned = Math.max(0, data.length - 2)
  }

  /** Where the search for the delimiter begins: bytes already searched are skipped. */
  #resume(): number {
    const from = this.#scanned
    this.#scanned = 0
    return from
  }

  /** Consumes what the state can use and returns the rest; an incomplete line is kept in `pending`. */
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
    const lead = breaksAt(data)
    const from = Math.max(lead, this.#resume())
    const strict = data.indexOf('\n\r\n', from)
    const lax = data.indexOf('\n\n', from)
    const isLax = lax !== -1 && (strict === -1 || lax < strict)
    const end = isLax ? lax : strict
    if (end === -1 || end > maxHeadBytes) {
      if (!looksLikeHttp(data.subarray(lead))) this.#fail('protocol', 'The target does not speak HTTP.')
      else if (data.length > maxHeadBytes) this.#fail('too_large', 'The headers of the answer are too large.')
      else this.#store(data)
      return nothing
    }
    this.#parseHead(unfolded(data.toString('latin1', lead, end)))
    return data.subarray(end + (isLax ? 2 : 3))
  }

  #parseHead(head: string) {
    const { status, version } = statusOf(head) ?? laxStatusOf(head) ?? {}
    if (status === undefined || version === undefined)
      return this.#fail('protocol', 'The target does not speak HTTP/1.1.')
    if (status < 200 && status !== 101) {
      this.#interim += 1
      if (this.#interim > maxInterim) this.#fail('protocol', 'The target sent too many interim answers.')
      return
    }
    const headers = AnswerHeaders.parse(head)
    if (!headers) return this.#fail('protocol', 'The headers of the answer are malformed.')
    this.#status = status
    this.#version = version
    this.#headers = headers
    this.#frame(status, headers)
  }

  #frame(status: number, headers: AnswerHeaders) {
    // browsers pass over what is no length, and over chunks of HTTP/1.0, which has none
    const coding = this.#version === '1.0' ? undefined : headers.framing.coding
    const length = /^\d{1,15}$/.test(headers.framing.length ?? '') ? headers.framing.length : undefined
    const hasBody = !this.#request.isHead && status !== 101 && status !== 204 && status !== 304
    if (!hasBody || this.#request.wantsBody?.(status, headers) === false) this.#settle?.()
    else if (coding !== undefined) this.#state = /(^|,)\s*chunked\s*$/i.test(coding) ? 'size' : 'close'
    else if (length === undefined) this.#state = 'close'
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
      else this.#store(data)
      return nothing
    }
    const line = data.toString('latin1', 0, end > 0 && data[end - 1] === 13 ? end - 1 : end)
    if (this.#state === 'chunk-end') {
      if (line) this.#fail('protocol', 'The chunks of the answer are malformed.')
      this.#state = 'size'
    } else if (this.#state === 'size') {
      const size = /^0*([0-9a-f]{1,12})\s*(?:;|$)/i.exec(line)?.[1]
      if (size === undefined) this.#fail('protocol', 'The chunks of the answer are malformed.')
      else if (++this.#chunks > freeChunks + this.#bytes / minChunkBytes)
        this.#fail('protocol', 'The chunks of the answer are too small.')
      else {
        this.#left = Number.parseInt(size, 16)
        this.#state = this.#left === 0 ? 'trailer' : 'chunk'
      }
    } else if (line === '') this.#settle?.()
    else if (++this.#interim > 100) this.#fail('too_large', 'The trailers of the answer are too large.')
    return data.subarray(end + 1)
  }

  async #deliver(worked: Promise<boolean>) {
    this.#open++
    const wantsMore = await worked.catch(() => false)
    this.#open--
    if (!wantsMore) {
      this.#truncated = true
      this.#settle?.()
    } else if (this.#open === 0) this.#socket?.resume()
  }

  #keep(part: Buffer) {
    this.#bytes += part.length
    if (this.#request.onBody && this.#headers && part.length)
      void this.#deliver(this.#request.onBody(part, this.#headers))
    const room = this.#request.keepBytes - this.#keptBytes
    if (room > 0) {
      const start = part.subarray(0, room)
      if (this.#keptBytes === 0) this.#kept = Buffer.from(start)
      else this.#kept = withRoom(this.#kept, this.#keptBytes, start)
      this.#keptBytes += start.length
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

/** Bytes of line breaks before a status line, which browsers pass over. */
function breaksAt(data: Buffer): number {
  let at = 0
  while (at < maxLeadingBytes && (data[at] === 13 || data[at] === 10)) at++
  return at
}

/** Whether this may become a status line. */
const looksLikeHttp = (data: Buffer) => {
  const start = data.toString('latin1', 0, Math.min(5, data.length)).toUpperCase()
  return 'HTTP/'.startsWith(start) || 'ICY '.startsWith(start.slice(0, 4))
}

/** A value that goes on in lines which begin with a space is one line (RFC 9112, 5.2). */
const unfolded = (head: string) =>
  head.includes('\n ') || head.includes('\n\t') ? head.replace(/\r?\n[ \t]+/g, ' ') : head

interface Framing {
  coding: string | undefined
  length: string | undefined
}

interface StatusLine {
  status: number
  version: '1.0' | '1.1'
}

/** The status of `HTTP/1.1 200 OK`, by position. */
function statusOf(head: string): StatusLine | undefined {
  const minor = head.charCodeAt(7)
  if (!head.startsWith('HTTP/1.') || (minor !== 48 && minor !== 49) || head.charCodeAt(8) !== 32) return
  const status = (head.charCodeAt(9) - 48) * 100 + (head.charCodeAt(10) - 48) * 10 + (head.charCodeAt(11) - 48)
  const after = head.charCodeAt(12)
  return status >= 100 &&
    status <= 999 &&
    /^\d{3}$/.test(head.slice(9, 12)) &&
    (Number.isNaN(after) || after === 32 || after === 13 || after === 10)
    ? { status, version: minor === 48 ? '1.0' : '1.1' }
    : undefined
}

/** A status line as browsers read it: in any case, with more spaces, another version, or of a radio (`ICY 200 OK`). */
function laxStatusOf(head: string): StatusLine | undefined {
  const [, major = '1', minor = '0', status] = /^(?:HTTP\/(\d)(?:\.(\d))?|ICY)[ \t]+([1-9]\d\d)(?!\d)/i.exec(head) ?? []
  if (status === undefined) return
  return { status: Number(status), version: major === '1' && minor === '0' ? '1.0' : '1.1' }
}

/** The head of a response. Parses only the framing and the content type at once; few runs need more. */
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

  /** Undefined where the head names several lengths, and none by chunks. Lines that are no header are passed over. */
  static parse(head: string): AnswerHeaders | undefined {
    let coding: string | undefined
    let length: string | undefined
    let isContradictory = false
    let contentType: string | undefined
    let colon = 0
    for (let at = head.indexOf('\n') + 1; at > 0; ) {
      const next = head.indexOf('\n', at)
      // the first colon from here on: searched once, however many lines have none
      if (colon !== -1 && colon < at) colon = head.indexOf(':', at)
      const end = nameEnd(head, at, colon)
      const size = end - at
      if ((size === 12 || size === 14 || size === 17) && (next === -1 || colon < next)) {
        const name = head.slice(at, end).toLowerCase()
        const value = trimmed(head, colon + 1, next === -1 ? head.length : next)
        if (name === 'content-type') contentType = value
        else if (name === 'content-length') {
          // the same length several times is one length (RFC 9110, 8.6)
          for (const each of value.split(',')) {
            isContradictory ||= length !== undefined && length !== each.trim()
            length = each.trim()
          }
        } else if (name === 'transfer-encoding' && !/^identity$/i.test(value))
          coding = coding === undefined ? value : `${coding}, ${value}`
      }
      at = next + 1
    }
    if (isContradictory && coding === undefined) return
    return new AnswerHeaders(head, { coding, length }, contentType)
  }

  /** By name in lower case; repeated values are joined by commas. Bytes, one character a byte. */
  get(name: string): string | undefined {
    return this.each(name)?.join(', ')
  }

  /** As `get`, but as people read it: UTF-8, else Latin-1. */
  text(name: string): string | undefined {
    const bytes = this.get(name)
    return bytes === undefined ? undefined : readable(bytes)
  }

  /** As `get`, but the values one by one: set-cookie values contain commas. */
  each(name: string): readonly string[] | undefined {
    this.#all ??= readAll(this.#head)
    return this.#all.get(name)
  }
}

/** The end of a name: spaces before its colon are none of it (RFC 9112, 5.1). */
function nameEnd(head: string, at: number, colon: number): number {
  let end = colon
  while (end > at && (head.charCodeAt(end - 1) === 32 || head.charCodeAt(end - 1) === 9)) end--
  return end
}

/** Text without spaces at its ends. Only of ASCII: the last byte of a character may be a space of Latin-1. */
function trimmed(head: string, from: number, to: number): string {
  let [start, end] = [from, to]
  while (start < end && isSpace(head.charCodeAt(start))) start++
  while (end > start && isSpace(head.charCodeAt(end - 1))) end--
  return head.slice(start, end)
}

const isSpace = (code: number) => code === 32 || code === 9 || code === 13

function readAll(head: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  let colon = 0
  for (let at = head.indexOf('\n') + 1; at > 0; ) {
    const next = head.indexOf('\n', at)
    if (colon !== -1 && colon < at) colon = head.indexOf(':', at)
    if (colon > at && (next === -1 || colon < next)) {
      const name = head.slice(at, nameEnd(head, at, colon)).toLowerCase()
      const value = trimmed(head, colon + 1, next === -1 ? head.length : next)
      const before = headers.get(name)
      if (before) before.push(value)
      else headers.set(name, [value])
    }
    at = next + 1
  }
  return headers
}
