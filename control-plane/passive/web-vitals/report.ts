import { z } from 'zod'
import { invalid, malformed, notFound, unavailable } from '#control-plane/base/refusal.ts'
import { readPlain, textOf } from '#control-plane/http/body.ts'
import { type DirectContext, endpoint } from '#control-plane/http/endpoint.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
import { rateKeyOfIp, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { accepted } from '#control-plane/http/reply.ts'
import { vitalsBatchOf } from './batch.ts'
import { beaconsOf } from './beacons.ts'
import { metrics, thresholds } from './metrics.ts'
import { pageOf } from './page.ts'

const maxBytes = 4_096

/** The kinds of connection that browsers report. */
export const connections = ['slow-2g', '2g', '3g', '4g', 'unknown'] as const

const Vital = z
  .object({
    metric: z.enum(metrics),
    value: z.number().min(0).meta({ description: 'Milliseconds; CLS has no unit.' }),
    path: z
      .string()
      .min(1)
      .max(2_000)
      .startsWith('/')
      .refine(path => !path.includes('\0'), 'Contains characters that cannot be stored.')
      .meta({
        description: 'Of the page. The query is not stored, and parts that identify a single record are replaced.',
      }),
    connection: z.enum(connections).default('unknown').catch('unknown'),
  })
  .refine(({ metric, value }) => value <= thresholds[metric].most, {
    path: ['value'],
    message: 'Is more than a page can take.',
  })
  .meta({ id: 'WebVital' })
const Vitals = z.union([Vital, z.array(Vital).min(1).max(10)])

const returns = {
  ...accepted({ data: z.object({ accepted: z.int() }) }),
  headers: { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' },
}

export const reportVitals = endpoint({
  method: 'POST',
  path: '/vitals/{beacon}',
  root: true,
  operation: 'webVitals.report',
  summary: 'Report web vitals of a visit',
  description:
    'Called by the script of a monitor’s web vitals, from any origin and without cookies. The id is that of the ' +
    'beacon. As text/plain, as browsers send it, or JSON; one measurement or up to ten. Nothing of the visitor is ' +
    'stored, only sums for each page and day.',
  access: 'public',
  rate: 'vitals',
  detached: true,
  tag: 'web-vitals',
  body: Vitals,
  acceptsText: true,
  bodyLimit: maxBytes,
  returns,
  direct: take,
  handle: () => Promise.reject(notFound('Beacon')),
})

async function take({ params, request, ip, services }: DirectContext<{ beacon: string }>): Promise<string> {
  const vitals = readVitals(await readPlain(request, maxBytes))
  const beacon = await beaconsOf(services).find(params.beacon)
  if (!beacon) {
    // only senders with an unknown beacon are counted by their IP address
    const counted = await services.rate.count(`public:ip:${rateKeyOfIp(ip)}`, rateLimits.public, services.clock.nowMs())
    throw counted.isRefused ? tooMany(counted) : notFound('Beacon')
  }
  const batch = vitalsBatchOf(services)
  const now = services.clock.now()
  for (const { metric, value, path, connection } of vitals)
    if (!batch.add({ ...beacon, metric, value, page: pageOf(path), connection }, now))
      throw unavailable('Too much waits to be written.')
  return `{"data":{"accepted":${vitals.length}}}`
}

function readVitals(body: Buffer): z.output<typeof Vital>[] {
  const text = textOf(body)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  const parsed = (Array.isArray(given) ? z.array(Vital).min(1).max(10) : Vital).safeParse(given)
  if (!parsed.success) throw invalid(fieldErrors(parsed.error))
  return [parsed.data].flat()
}
