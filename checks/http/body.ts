import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { RunFailure } from '#contract/check.ts'

const flush = { finishFlush: constants.Z_SYNC_FLUSH }
export const decoders: Record<string, () => NodeJS.ReadWriteStream & { destroy(): unknown }> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
}

/** Decodes the content coding up to a number of bytes: a decompression bomb is never expanded beyond it. */
export async function decodeBody(
  body: Buffer,
  coding: string | undefined,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name && name !== 'identity')
  if (codings.length === 0 || body.length === 0)
    return { body: body.subarray(0, maxBytes), truncated: body.length > maxBytes }
  const decoder = codings.length === 1 ? decoders[codings[0]!]?.() : undefined
  if (!decoder) throw new RunFailure('protocol', 'body', 'The answer is in a coding that was not asked for.')
  const parts: Buffer[] = []
  let bytes = 0
  decoder.end(body)
  try {
    for await (const part of decoder) {
      if (typeof part === 'string') continue
      parts.push(part)
      bytes += part.length
      if (bytes > maxBytes) break
    }
  } catch {
    throw new RunFailure('protocol', 'body', 'The answer could not be decompressed.')
  } finally {
    decoder.destroy()
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), truncated: bytes > maxBytes }
}

/** Text in the charset of its byte order mark, else of the content type, else of its meta tag, else UTF-8. */
export function textOf(body: Buffer, contentType: string | undefined): string {
  const charset = markOf(body) ?? charsetIn(contentType) ?? charsetIn(body.toString('latin1', 0, 1_024)) ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

/** A byte order mark takes precedence over any declaration. */
function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined
}

/** `charset=…` of a content type or a meta tag, `encoding=…` of an XML declaration. */
function charsetIn(text: string | undefined): string | undefined {
  return /(?:charset|^\s*<\?xml[^>]{1,100}?encoding)\s*=\s*["']?([\w.:-]+)/i.exec(text ?? '')?.[1]
}
