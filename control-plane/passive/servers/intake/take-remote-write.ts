import { z } from 'zod'
import { serverLimits } from '#contract/server-agent.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { readRemoteWrite, readRemoteWriteTwo } from './remote-write.ts'
import { asBadRequest, badRequest, takeParts } from './take.ts'
import { unpack } from './unpack.ts'

const two = 'io.prometheus.write.v2.Request'
const writtenHeaders = {
  samples: 'X-Prometheus-Remote-Write-Samples-Written',
  histograms: 'X-Prometheus-Remote-Write-Histograms-Written',
  exemplars: 'X-Prometheus-Remote-Write-Exemplars-Written',
} as const
const kinds = ['samples', 'histograms', 'exemplars'] as const
const count = z
  .int()
  .optional()
  .meta({ description: 'Of remote write 2.0: how many were accepted, known here or not.' })

export const takeRemoteWrite = endpoint({
  method: 'POST',
  path: '/agent-monitors/prometheus/api/v1/write',
  root: true,
  operation: 'agentMonitors.reportPrometheus',
  summary: 'Report server metrics by Prometheus remote write',
  description:
    'For Prometheus, or its agent, that scrapes one node_exporter: remote write 1.0, or 2.0 with the content type ' +
    `\`application/x-protobuf;proto=${two}\`, packed by snappy. Unknown series, histograms and exemplars are ` +
    'left out. Samples of another time and series without a name are left out as well, and answered with 400 once ' +
    'the others are stored. The token is for one server: keep one `instance` by `write_relabel_configs`. Another ' +
    'than that of the server is refused with 400 while that one reports. A request has at most 20,000 samples; ' +
    'each started half megabyte, unpacked, counts as a request.',
  access: 'server-agent',
  accepts: {
    types: { 'application/x-protobuf': z.string().meta({ format: 'binary' }) },
    protos: ['prometheus.WriteRequest', two],
    limit: serverLimits.batchBytes,
  },
  returns: noContent,
  responseHeaders: Object.fromEntries(Object.values(writtenHeaders).map(name => [name, count])),
  detached: true,

  async handle(context) {
    const isTwo = context.rawBody.proto === two
    const body = await unpack(context, ['snappy'])
    const report = await inSlices(isTwo ? readRemoteWriteTwo(body) : readRemoteWrite(body))
    const before = report.faults.count
    const faults = await asBadRequest(takeParts(context, report))
    // what was found while it was read is not among the counts
    const written = { ...report.counts, samples: report.counts.samples - (faults.count - before) }
    if (isTwo) for (const kind of kinds) context.setHeader(writtenHeaders[kind], String(written[kind]))
    if (faults.why) throw badRequest(faults.why, ' The other values are stored.')
  },
})
