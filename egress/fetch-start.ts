import { request } from 'undici'
import type { Guard } from './guard.ts'

/** The first bytes of a file on the web; null when it cannot be had in time. Redirects are not followed, and what comes beyond is not read. */
export async function fetchStart(
  guard: Guard,
  url: string,
  { maxBytes, patienceMs }: { maxBytes: number; patienceMs: number },
): Promise<Uint8Array | null> {
  if (guard.refuseUrl(url) !== null) return null
  const signal = AbortSignal.timeout(patienceMs)
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
    // what is given up half-way says so, and nobody is left to hear it
    body.on('error', () => undefined)
    const isPacked = headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity'
    const chunks: Buffer[] = []
    let size = 0
    if (!isPacked && (statusCode === 200 || statusCode === 206))
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
