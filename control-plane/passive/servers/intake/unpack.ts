import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { uncompress } from 'snappyjs'
import { Sentence } from '#contract/sentence.ts'
import { serverLimits } from '#contract/server-agent.ts'
import { malformed, Refusal, tooLarge } from '#control-plane/base/refusal.ts'
import type { RawBody, RequestContext } from '#control-plane/http/endpoint.ts'
import { rateLimits, tooMany } from '#control-plane/http/rate.ts'

const most = serverLimits.batchBytesUnpacked
const unpackers: Record<string, (packed: Buffer) => Promise<Uint8Array> | Uint8Array> = {
  gzip: packed => promisify(gunzip)(packed, { maxOutputLength: most }),
  zstd: packed => promisify(zstdDecompress)(packed, { maxOutputLength: most }),
  snappy: packed => uncompress(packed, most),
}

/**
 * Unpacks a body, up to the size that a batch may have. Its size counts as further requests: the request itself was
 * counted before it was read.
 */
export async function unpack(
  context: Pick<RequestContext, 'rawBody' | 'server' | 'services'>,
  encodings: readonly (string | null)[],
): Promise<Buffer> {
  const body = await unpacked(context.rawBody, encodings)
  await charge(context, Math.ceil(body.length / serverLimits.requestBytes) - 1)
  return body
}

async function charge(
  { server, services }: Pick<RequestContext, 'server' | 'services'>,
  requests: number,
): Promise<void> {
  for (let left = requests; left > 0; left--) {
    const counted = await services.rate.count(
      `server-agent:server:${server.tokenId}`,
      rateLimits['server-agent'],
      services.clock.nowMs(),
    )
    if (!counted.isRefused) continue
    services.metrics.rateRefusals.inc({ class: 'server-agent' })
    throw tooMany(counted)
  }
}

async function unpacked({ content, encoding }: RawBody, encodings: readonly (string | null)[]): Promise<Buffer> {
  if (!encodings.includes(encoding))
    throw new Refusal(
      415,
      'unsupported_media_type',
      new Sentence('Send the body packed by {encodings}.', {
        encodings: encodings.map(name => name ?? 'nothing').join(' or '),
      }),
    )
  const unpacker = unpackers[encoding ?? '']
  if (!unpacker) {
    if (content.length > most) throw tooLarge()
    return content
  }
  try {
    const whole = await unpacker(content)
    return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  } catch (error) {
    if (
      error instanceof Error &&
      (('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') || error.message.includes('too big'))
    )
      throw tooLarge()
    throw malformed('The body cannot be unpacked.')
  }
}
