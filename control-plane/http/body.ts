import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Sentence } from '#contract/sentence.ts'
import { invalid, malformed, Refusal, tooLarge } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import type { Endpoint, RawBody } from './endpoint.ts'

type Accepted = NonNullable<Endpoint['accepts']>

const maxDepth = 32
/** Each wrong value is an error of its own: of more, validation would take tens of milliseconds. */
const leastValues = 10_000
const bytesOfValue = 32
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON body. Size and nesting are checked before parsing, as deep nesting overflows the stack of later
 * recursion. 413 too large, 400 not UTF-8 or not JSON, 415 another type, 422 text that PostgreSQL cannot store.
 */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const body = await readPlain(request, limitBytes)
  if (body.length === 0) return undefined

  const type = request.headers['content-type'] ?? ''
  if (!/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type))
    throw new Refusal(415, 'unsupported_media_type', 'Send the body as application/json.')

  return inSlices(parseJson(body, limitBytes))
}

/** May pause after each step: a megabyte takes some milliseconds in each. */
function* parseJson(body: Buffer, limitBytes: number): Generator<undefined, unknown> {
  const text = textOf(body)
  if (isNestedBeyond(text, maxDepth, Math.max(leastValues, limitBytes / bytesOfValue)))
    throw malformed(
      isNestedBeyond(text, maxDepth)
        ? new Sentence('The JSON is nested deeper than {n} levels.', { n: maxDepth })
        : 'The JSON holds too many values.',
    )
  yield
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  yield
  inspect(value, '')
  yield
  return value
}

/** The text of a body. Bytes that are not UTF-8 are refused: they would be stored as replacement characters. */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.')
  return body.toString('utf8')
}

/** Reads a body of one of these content types, still encoded: 413 too large, 415 another type. */
export async function readBytes(
  request: IncomingMessage,
  types: readonly string[],
  limitBytes: number,
  { protos = [], signature }: Pick<Accepted, 'protos' | 'signature'> = {},
): Promise<RawBody> {
  const type = request.headers['content-type'] ?? ''
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // it names another message altogether
  const [, , named = null] = /;\s*proto\s*=\s*("?)([^\s";]*)\1/i.exec(type) ?? []
  const proto = protos.find(known => known.toLowerCase() === named?.toLowerCase()) ?? null
  if (!types.includes(plain) || (named !== null && proto === null))
    throw new Refusal(
      415,
      'unsupported_media_type',
      new Sentence('Send the body as {types}.', { types: types.join(' or ') }),
    )
  const content = await readWithin(request, limitBytes)
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  const signed = signature === undefined ? undefined : request.headers[signature.toLowerCase()]
  return {
    content,
    type: plain,
    encoding: !encoding || encoding === 'identity' ? null : encoding,
    proto,
    signature: typeof signed === 'string' ? signed : null,
  }
}

/** Reads a body of any type without content encoding. */
export async function readPlain(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity')
    throw new Refusal(415, 'unsupported_media_type', 'Compressed request bodies are not accepted.')
  return readWithin(request, limitBytes)
}

/** Whether a request has, or may have, a body of more bytes: of one in chunks it is not known before it is read. */
export const mayExceed = ({ headers }: IncomingMessage, bytes: number): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes

/** Reads a body up to a limit. The rest is left unread, not destroyed, so that its sender can still receive the 413. */
export function readWithin(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return reject(tooLarge())
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limitBytes) return void chunks.push(chunk)
      request.off('data', take).pause()
      reject(tooLarge())
    }
    request.on('data', take)
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    for (const end of ['error', 'close'])
      request.once(end, () => reject(new Refusal(400, 'aborted', 'The request ended early.')))
  })
}

/** Counts brackets and commas outside strings, without recursion. `values` limits how many values the text may have. */
export function isNestedBeyond(text: string, limit: number, values = Number.POSITIVE_INFINITY): boolean {
  let depth = 0
  let seen = 0
  let isString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isString) {
      if (code === 92) i++
      else if (code === 34) isString = false
    } else if (code === 34) isString = true
    else if (code === 44) {
      if (++seen > values) return true
    } else if (code === 91 || code === 123) {
      if (++depth > limit || ++seen > values) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/** Refuses text that cannot be stored (NUL, lone surrogates), and keys that reach into prototypes. */
function inspect(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalid({ [path || 'body']: ['Contains characters that cannot be stored.'] })
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      inspect(item, path ? `${path}.${index}` : String(index))
    })
  } else if (value && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      const place = path ? `${path}.${key}` : key
      if (forbiddenKeys.has(key) || !isStorable(key))
        throw invalid({ [path || 'body']: ['Contains a key that is not allowed.'] })
      inspect((value as Record<string, unknown>)[key], place)
    }
  }
}

export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
