import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { LookFailure } from '#contract/check.ts'

const flush = { finishFlush: constants.Z_SYNC_FLUSH }
const decoders: Record<string, () => NodeJS.ReadWriteStream & { destroy(): unknown }> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
}

/** Undoes the content coding, up to so many bytes: what a bomb would unfold to beyond them never exists. */
export async function decodeBody(body: Buffer, coding: string | undefined, maxBytes: number): Promise<{ body: Buffer; truncated: boolean }> {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name && name !== 'identity')
  if (codings.length === 0 || body.length === 0) return { body: body.subarray(0, maxBytes), truncated: body.length > maxBytes }
  const decoder = codings.length === 1 ? decoders[codings[0]!]?.() : undefined
  if (!decoder) throw new LookFailure('protocol', 'body', 'The answer is in a coding that was not asked for.')
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
    throw new LookFailure('protocol', 'body', 'The answer could not be decompressed.')
  } finally {
    decoder.destroy()
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), truncated: bytes > maxBytes }
}

/** Text in the charset the answer names, UTF-8 if it names none we know. */
export function textOf(body: Buffer, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}
