import type { ServerResponse } from 'node:http'
import type { Ingest } from '#analytics/ingest/ingest.ts'
import { limits } from '#contract/agent.ts'
import { malformed, Refusal, unavailable } from '#control-plane/base/refusal.ts'
import { readWithin } from '#control-plane/http/body.ts'
import type { TakeResults } from './gateway.ts'
import type { Regions } from './regions.ts'

/** Bodies read at once: what is not yet counted as a batch in work must be bounded too. */
const maxReading = 32

/** POST /agent/v1/results: only the region's holder is accepted, and the health in its batch counts as a beat. */
export function resultsHandler({ ingest, regions }: { ingest: Ingest; regions: Regions }): TakeResults {
  let reading = 0

  return async (request, response, identity) => {
    const generation = regions.generationOf(identity)
    if (generation === null) throw fenced()
    if (reading >= maxReading) throw unavailable('Too many batches are in work.')
    reading++
    let packed: Buffer
    try {
      packed = await readWithin(request, limits.batchBytes)
    } finally {
      reading--
    }
    const encoding = request.headers['content-encoding']
    const taken = await ingest.take(packed, encoding, { id: identity.agent, region: identity.region, generation })
    switch (taken.status) {
      case 200:
        regions.receive(identity, generation, taken.header.health)
        return send(response, taken.ack)
      case 400:
        throw malformed(taken.reason)
      case 409:
        throw fenced()
      case 413:
        throw new Refusal(413, 'too_large', taken.reason)
      case 503:
        throw unavailable(taken.reason, taken.retryAfterS)
    }
  }
}

export const fenced = () => new Refusal(409, 'fenced', 'Another agent holds this region.')

function send(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}
