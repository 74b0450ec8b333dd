import { z } from 'zod'
import { serverLimits } from '#contract/server-agent.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { readOwn, ServerAck, ServerBatch } from './own.ts'
import { take } from './take.ts'
import { unpack } from './unpack.ts'

export const takeMetrics = endpoint({
  method: 'POST',
  path: '/agent-monitors/metrics',
  root: true,
  operation: 'agentMonitors.report',
  summary: 'Tell how a server fares, by its own token',
  description:
    'What `vedette agent` sends; others may as well. As `application/x-ndjson` the first line is the batch without `samples`, each further line one sample. Packed by gzip, zstd or nothing. An answer of 200 means it is stored; the same batch again changes nothing. A body with anything wrong in it is refused whole. Each started half megabyte, unpacked, counts as a request.',
  access: 'server-agent',
  accepts: {
    types: { 'application/json': ServerBatch, 'application/x-ndjson': z.string().meta({ format: 'binary' }) },
    limit: serverLimits.batchBytes,
  },
  returns: bare(ServerAck),
  detached: true,

  async handle(facts) {
    const { batch, ...told } = readOwn(await unpack(facts, [null, 'gzip', 'zstd']), facts.rawBody.type)
    const accepted = await take(facts, told)
    return { batch, accepted, ignored: told.ignored, now_ms: facts.services.clock.nowMs() }
  },
})
