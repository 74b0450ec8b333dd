import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Accepted, Ingest, IngestReply } from '#analytics/ingest/ingest.ts'
import { limits, type Stored } from '#contract/agent.ts'
import { malformed, Refusal, unavailable } from '#control-plane/base/refusal.ts'
import { readWithin } from '#control-plane/http/body.ts'
import type { AgentIdentity } from './access-token.ts'
import { acknowledgesTwice, protocolOf } from './agent-protocol.ts'
import type { HistoryWaits } from './history-waits.ts'
import type { Regions } from './regions.ts'

/** Takes a batch of results from an agent that has proved who it is. */
export type TakeResults = (request: IncomingMessage, response: ServerResponse, identity: AgentIdentity) => Promise<void>

/** Bodies read at once: what is not yet counted as a batch in work must be bounded too. */
const maxReading = 32

interface Parts {
  ingest: Ingest
  regions: Regions
  historyWaits: HistoryWaits
}

/**
 * POST /agent/v1/results and /agent/v1/store: only the region's holder is accepted, and the health in its batch
 * counts as a beat.
 */
export function resultsHandlers({ ingest, regions, historyWaits }: Parts): { take: TakeResults; store: TakeResults } {
  let reading = 0

  async function bodyOf(request: IncomingMessage, identity: AgentIdentity) {
    const generation = regions.generationOf(identity)
    if (generation === null) throw fenced()
    if (reading >= maxReading) throw unavailable('Too many batches are in work.')
    reading++
    try {
      const packed = await readWithin(request, limits.batchBytes)
      const encoding = request.headers['content-encoding']
      return {
        generation,
        args: [packed, encoding, { id: identity.agent, region: identity.region, generation }] as const,
      }
    } finally {
      reading--
    }
  }

  return {
    async take(request, response, identity) {
      const { generation, args } = await bodyOf(request, identity)
      const isTwice = acknowledgesTwice(protocolOf(request))
      let isDecided = false
      const onDecided = ({ ack, header }: Accepted) => {
        isDecided = true
        regions.receive(identity, generation, header.health)
        if (isTwice) beginAnswer(response, ack)
      }
      const taken = await ingest.take(...args, onDecided)
      if (isDecided && !isTwice) historyWaits.noteBatch(identity.region, taken.status === 200)
      if (response.headersSent) return void response.end(lineOf({ stored: taken.status === 200 } satisfies Stored))
      answer(response, taken)
    },
    async store(request, response, identity) {
      const { generation, args } = await bodyOf(request, identity)
      const stored = await ingest.store(...args)
      if (stored.status === 200) regions.receive(identity, generation, stored.header.health)
      answer(response, stored)
    },
  }
}

export const fenced = () => new Refusal(409, 'fenced', 'Another agent holds this region.')

const lineOf = (body: unknown) => `${JSON.stringify(body)}\n`

function beginAnswer(response: ServerResponse, body: unknown): void {
  // a proxy must not keep the first line until the second
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' })
  response.write(lineOf(body))
}

/** The whole answer in one line. */
function answer(response: ServerResponse, reply: IngestReply): void {
  switch (reply.status) {
    case 200: {
      const text = JSON.stringify(reply.ack)
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
      })
      response.end(text)
      return
    }
    case 400:
      throw malformed(reply.reason)
    case 409:
      throw fenced()
    case 413:
      throw new Refusal(413, 'too_large', reply.reason)
    case 503:
      throw unavailable(reply.reason, reply.retryAfterS)
  }
}
