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
  summary: 'Report server metrics',
  description:
    'The format of `vedette agent`, with the token of the server. As `application/x-ndjson` the first line is the ' +
    'batch without `samples`, each further line one sample. Packed by gzip, zstd or nothing. An answer of 200 means ' +
    'that it is stored; the same batch again changes nothing. An invalid value refuses the whole body. 409 with the ' +
    'code `second_server`: another server reports with this token; nothing is stored. Each started half megabyte, ' +
    'unpacked, counts as a request.',
  access: 'server-agent',
  accepts: {
    types: { 'application/json': ServerBatch, 'application/x-ndjson': z.string().meta({ format: 'binary' }) },
    limit: serverLimits.batchBytes,
  },
  returns: bare(ServerAck),
  detached: true,

  async handle(context) {
    const { batch, ...report } = readOwn(await unpack(context, [null, 'gzip', 'zstd']), context.rawBody.type)
    const accepted = await take(context, report)
    return { batch, accepted, ignored: report.ignored, now_ms: context.services.clock.nowMs() }
  },
})
