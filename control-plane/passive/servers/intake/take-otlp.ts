import { z } from 'zod'
import { serverLimits } from '#contract/server-agent.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { readOtlp } from './otlp.ts'
import { writeMessage } from './protobuf.ts'
import { asBadRequest, firstReason, takeParts } from './take.ts'
import { unpack } from './unpack.ts'

const Exported = z
  .object({ partialSuccess: z.object({ rejectedDataPoints: z.int(), errorMessage: z.string() }).optional() })
  .meta({ id: 'ExportMetricsServiceResponse' })

export const takeOtlp = endpoint({
  method: 'POST',
  path: '/agent-monitors/otlp/v1/metrics',
  root: true,
  operation: 'agentMonitors.reportOtlp',
  summary: 'Report server metrics by OTLP',
  description:
    'For OpenTelemetry’s collector with its `hostmetrics` receiver and the token of the server: `endpoint` of the ' +
    'exporter is `{base_url}/api/agent-monitors/otlp`. Unknown metrics and points of another time are counted in ' +
    '`partialSuccess` and left out; points without a value, as their flags say, are left out. An export of another ' +
    '`host.name` than that of the server is refused with 400 while that one reports. ' +
    'The answer has the format of the request. An export has at most 20,000 metrics and 20,000 points; each started ' +
    'half megabyte, unpacked, counts as a request.',
  access: 'server-agent',
  accepts: {
    types: {
      'application/json': z.looseObject({ resourceMetrics: z.array(z.looseObject({})).optional() }),
      'application/x-protobuf': z.string().meta({ format: 'binary' }),
    },
    limit: serverLimits.batchBytes,
  },
  returns: { ...bare(Exported), alike: { 'application/x-protobuf': writeExported } },
  detached: true,

  async handle(context) {
    const report = readOtlp(await unpack(context, [null, 'gzip', 'zstd']), context.rawBody.type)
    const faults = await asBadRequest(takeParts(context, report))
    const rejectedDataPoints = report.ignored + faults.count + faults.repeated
    if (rejectedDataPoints === 0) return {}
    const why = [
      ...(report.ignored > 0 ? ['Some metrics are not known here and were left out.'] : []),
      ...(faults.why ? [firstReason(faults.why)] : []),
      ...(faults.repeated > 0 ? ['Some points have another value than one of the same moment, which counts.'] : []),
    ]
    return { partialSuccess: { rejectedDataPoints, errorMessage: why.join(' ') } }
  },
})

function writeExported(answer: unknown): Buffer {
  const { partialSuccess } = Exported.parse(answer)
  if (!partialSuccess) return Buffer.alloc(0)
  const { rejectedDataPoints, errorMessage } = partialSuccess
  return writeMessage([
    [
      1,
      writeMessage([
        [1, rejectedDataPoints],
        [2, errorMessage],
      ]),
    ],
  ])
}
