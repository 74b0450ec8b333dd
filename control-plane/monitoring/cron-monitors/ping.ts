import { z } from 'zod'
import { FairSlots } from '#contract/fair-queue.ts'
import { stamp } from '#contract/time.ts'
import { invalid, notFound, unavailable } from '#control-plane/base/refusal.ts'
import { readPlain } from '#control-plane/http/body.ts'
import { endpoint, type FastPathContext } from '#control-plane/http/endpoint.ts'
import { rateHeaders, rateKeyOfIp, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { ok } from '#control-plane/http/reply.ts'
import { unknownPingSendersOf } from '#control-plane/http/unknown-senders.ts'
import { pingStates } from './heartbeat.ts'
import { intakeOf, type Taken } from './intake.ts'
import { maxBodyBytes, plainReport, type Report, readReport } from './report.ts'

const time = z.string().meta({ format: 'date-time' })
const PingAnswer = z.object({ state: z.enum(pingStates), received_at: time }).meta({ id: 'PingAnswer' })
const returns = { ...ok({ data: PingAnswer }), headers: { 'Cache-Control': 'no-store' } }

const PingBody = z
  .object({
    state: z.enum(pingStates).optional().meta({ description: 'What happened; `ok` when it is left out.' }),
    rid: z
      .string()
      .regex(/^[\w.:-]+$/)
      .max(64)
      .optional()
      .meta({ description: 'An id of the run, where several may overlap.' }),
    exit_code: z
      .int()
      .min(-2_147_483_648)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'With `ok` or `complete`, any other than 0 counts as `fail`.' }),
    output: z.string().optional().meta({ description: 'What the job printed; the first 10 KB are kept.' }),
  })
  .meta({ id: 'Ping' })

const shared = {
  path: '/ping/{monitor}',
  root: true,
  access: 'public',
  rate: 'ping',
  detached: true,
  tag: 'ping',
  returns,
} as const

export const pingByGet = endpoint({
  ...shared,
  method: 'GET',
  operation: 'ping.success',
  summary: 'Report that a job succeeded',
  description:
    'The id is that of the ping URL, not the monitor’s. A query is ignored. HEAD checks whether the address exists, ' +
    'and records nothing.',
  fast(asked) {
    refuseStranger(asked)
    return take(asked, () => plainReport)
  },
  handle: () => Promise.reject(notFound('Monitor')),
})

export const ping = endpoint({
  ...shared,
  method: 'POST',
  operation: 'ping.send',
  summary: 'Report what a job does: start, complete, ok, fail or log',
  description: 'As a form or as JSON. Without a body it is `ok`. The answer means that the ping is stored.',
  body: PingBody,
  acceptsForms: true,
  async fast(asked) {
    if (/(^|&)state(=|\[|%5b|&|$)/i.test(asked.query))
      throw invalid({ state: ['Send the state in the body: in a query it is not read.'] })
    // before its body is read
    refuseStranger(asked)
    const body = await readPlain(asked.request, maxBodyBytes)
    return take(asked, () => readReport(body, asked.request.headers['content-type']), body.length)
  },
  handle: () => Promise.reject(notFound('Monitor')),
})

/** Pings that wait to be stored. One tenant takes at most as many places as it leaves to others. */
const waiting = new FairSlots(20_000)

function refuseStranger({ params, ip, services }: FastPathContext<{ monitor: string }>): void {
  const senders = unknownPingSendersOf(services)
  const now = services.clock.nowMs()
  if (senders.isRefused(params.monitor, ip, now))
    throw tooMany({
      limit: rateLimits.public,
      remaining: 0,
      retryAfterS: senders.retryAfterS(ip, now),
      isRefused: true,
    })
}

/** A larger body is parsed only when its address exists: parsing a quarter of a megabyte takes milliseconds. */
const fewBytes = 1_024

async function take(
  { params, method, ip, services }: FastPathContext<{ monitor: string }>,
  read: () => Report,
  bytes = 0,
): Promise<string> {
  const senders = unknownPingSendersOf(services)
  const now = services.clock.nowMs()
  const intake = intakeOf(services)
  const release = waiting.tryTake(intake.sharedBy({ address: params.monitor, ip }))
  if (!release) throw unavailable('Too many pings wait to be stored.')
  let taken: Taken | null
  try {
    if (method === 'HEAD') taken = (await intake.knows(params.monitor)) ? { state: 'log', at: now } : null
    else if (bytes > fewBytes && !(await intake.knows(params.monitor))) taken = null
    else taken = await intake.take({ ...read(), address: params.monitor, method, ip })
  } finally {
    release()
  }
  if (taken) {
    senders.accept(params.monitor)
    if (method !== 'HEAD') services.metrics.pings.inc({ state: taken.state })
    return `{"data":{"state":"${taken.state}","received_at":"${stamp(new Date(taken.at))}"}}`
  }
  // only senders with an unknown address are counted by their IP address
  const counted = await services.rate.count(`public:ip:${rateKeyOfIp(ip)}`, rateLimits.public, now)
  if (counted.isRefused) {
    senders.refuse(ip, now + counted.retryAfterS * 1_000)
    services.metrics.rateRefusals.inc({ class: 'public' })
    throw tooMany(counted)
  }
  const refusal = notFound('Monitor')
  Object.assign(refusal.headers, rateHeaders(counted))
  throw refusal
}
