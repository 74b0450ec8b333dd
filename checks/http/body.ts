import { RunFailure } from '#contract/check.ts'
import { failureOf, isShortage } from '#egress/failures.ts'
import { beginCoding, codingsOf, isZstdFrame, maxCodings } from './codings.ts'

interface Decoded {
  body: Buffer
  truncated: boolean
}

/** Undoes the content codings up to a number of bytes: a decompression bomb is never expanded beyond it. */
export async function decodeBody(body: Buffer, header: string | undefined, maxBytes: number): Promise<Decoded> {
  const codings = codingsOf(header)
  if (codings.length > maxCodings) throw new RunFailure('protocol', 'body', 'The answer is encoded too many times.')
  let decoded: Decoded = { body: body.subarray(0, maxBytes), truncated: body.length > maxBytes }
  for (const coding of codings) decoded = await decodeOne(coding, decoded, maxBytes)
  return decoded
}

async function decodeOne(coding: string, { body, truncated }: Decoded, maxBytes: number): Promise<Decoded> {
  const parts: Buffer[] = []
  let bytes = 0
  for (let rest = body; rest.length > 0 && bytes <= maxBytes; ) {
    const start = beginCoding(coding, rest)
    if (start === 'broken') throw unreadable()
    if (start === 'more') break
    const { decoder, skips } = start
    decoder.end(rest.subarray(skips))
    try {
      for await (const part of decoder) {
        if (typeof part === 'string') continue
        parts.push(part)
        bytes += part.length
        if (bytes > maxBytes) break
      }
    } catch (error) {
      throw isShortage(error) ? failureOf(error, 'body') : unreadable()
    } finally {
      decoder.destroy()
    }
    rest = rest.subarray(skips + decoder.bytesWritten)
    if (coding !== 'zstd' || !isZstdFrame(rest)) break
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), truncated: truncated || bytes > maxBytes }
}

const unreadable = () => new RunFailure('protocol', 'body', 'The answer could not be decompressed.')

/**
 * Text in the charset of its byte order mark, else of the content type, else of its meta tag, else UTF-8; where it is
 * none, and nothing is declared, windows-1252, as browsers take it.
 */
export function textOf(body: Buffer, contentType: string | undefined): string {
  const charset = markOf(body) ?? charsetIn(contentType) ?? charsetWithin(body.toString('latin1', 0, 1_024))
  try {
    // an answer that was cut may end amid a character
    if (charset === undefined) return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return new TextDecoder(charset).decode(body)
  } catch {
    return charset === undefined ? new TextDecoder('windows-1252').decode(body) : body.toString('utf8')
  }
}

/** A byte order mark takes precedence over any declaration. */
function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined
}

/** `charset=…` of a content type. */
const charsetIn = (text: string | undefined) => /charset\s*=\s*["']?([\w.:-]+)/i.exec(text ?? '')?.[1]

/**
 * `charset=…` of a meta tag, `encoding=…` of an XML declaration, in the first kilobyte. UTF-16 cannot be declared this
 * way: what can be read so is UTF-8 (HTML, 13.2.3.2).
 */
function charsetWithin(start: string): string | undefined {
  const found =
    /<meta\s[^>]*?charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{1,100}?encoding\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
  return found !== undefined && /^utf-16/i.test(found) ? 'utf-8' : found
}
