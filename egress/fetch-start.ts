import { request } from 'undici'
import type { Guard } from './guard.ts'

/**
 * The first bytes of a file; null if the request fails or times out. Redirects are not followed, and the rest is not
 * read.
 */
export async function fetchStart(
  guard: Guard,
  url: string,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Uint8Array | null> {
  if (guard.refuseUrl(url) !== null) return null
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: guard.dispatcher(),
      headers: {
        'User-Agent': 'vedette',
        Accept: 'image/*',
        'Accept-Encoding': 'identity',
        Range: `bytes=0-${maxBytes - 1}`,
      },
      signal,
    })
    // destroying the body below emits an error that has no other listener
    body.on('error', () => undefined)
    const isCompressed = headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity'
    const chunks: Buffer[] = []
    let size = 0
    if (!isCompressed && (statusCode === 200 || statusCode === 206))
      for await (const chunk of body as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= maxBytes) break
      }
    body.destroy()
    return size > 0 ? Buffer.concat(chunks).subarray(0, maxBytes) : null
  } catch {
    return null
  }
}
