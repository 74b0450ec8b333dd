import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { limits } from '#contract/agent.ts'

const unpackers: Record<
  string,
  (packed: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>
> = {
  gzip: promisify(gunzip),
  zstd: promisify(zstdDecompress),
}

/** Decompresses a batch in the thread pool, or returns why not. Never expands beyond the limit. */
export async function unpack(
  packed: Buffer,
  encoding: string | undefined,
): Promise<Buffer | 'too_large' | 'unreadable'> {
  if (packed.length > limits.batchBytes) return 'too_large'
  const decompress = unpackers[encoding ?? '']
  if (!decompress) return encoding === undefined || encoding === 'identity' ? packed : 'unreadable'
  try {
    return await decompress(packed, { maxOutputLength: limits.batchBytesUnpacked, chunkSize: 524_288 })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable'
  }
}

const chunkBytes = 65_536

/** The lines of a batch in groups, so that the caller can yield to the event loop in between. */
export function* linesOf(batch: Buffer): Generator<string[]> {
  for (let start = 0; start < batch.length; ) {
    let end = batch.length
    if (end - start > chunkBytes) {
      const last = batch.subarray(start, start + chunkBytes).lastIndexOf(10)
      const next = last === -1 ? batch.indexOf(10, start) : start + last
      if (next !== -1) end = next + 1
    }
    yield batch.toString('utf8', start, end).split('\n')
    start = end
  }
}
