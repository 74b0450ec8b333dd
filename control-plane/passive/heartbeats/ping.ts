import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { readPlain } from '#control-plane/http/body.ts'
import { type DirectContext, endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { acceptPing, mayBeLarge, refuseStranger, refuseUnknown } from './accept.ts'
import { pingStates } from './heartbeat.ts'
import { intakeOf } from './intake.ts'
import { maxBodyBytes, type Report, readReport, reportOfQuery } from './report.ts'

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
    'The id is that of the ping URL, not the monitor’s. A query is ignored, but for one thing: with a state in it ' +
    'other than `ok` and `complete`, or an exit code other than 0, the ping is recorded as `log`, as it must not ' +
    'prove that the job succeeded. Send states by POST. HEAD checks whether the address exists, and records nothing.',
  direct(asked) {
    refuseStranger(senderOf(asked))
    return take(asked, () => reportOfQuery(asked.query))
  },
  handle: () => Promise.reject(notFound('Monitor')),
})

export const ping = endpoint({
  ...shared,
  method: 'POST',
  operation: 'ping.send',
  summary: 'Report what a job does',
  description:
    'Start, complete, ok, fail or log. ' +
    'As a form or as JSON. Without a body it is `ok`. The answer means that the ping is stored.',
  body: PingBody,
  acceptsForms: true,
  async direct(asked) {
    if (/(^|&)state(=|\[|%5b|&|$)/i.test(asked.query))
      throw invalid({ state: ['Send the state in the body: in a query it is not read.'] })
    // before its body is read
    refuseStranger(senderOf(asked))
    if (mayBeLarge(asked.request) && !(await intakeOf(asked.services).knows(asked.params.monitor)))
      return refuseUnknown(senderOf(asked))
    const body = await readPlain(asked.request, maxBodyBytes)
    return take(asked, () => readReport(body, asked.request.headers['content-type']))
  },
  handle: () => Promise.reject(notFound('Monitor')),
})

const senderOf = ({ params, ip, services }: DirectContext<{ monitor: string }>) => ({
  address: params.monitor,
  ip,
  services,
})

async function take(
  { params, method, ip, services }: DirectContext<{ monitor: string }>,
  read: () => Report,
): Promise<string> {
  const intake = intakeOf(services)
  const { state, at } = await acceptPing({ address: params.monitor, ip, services }, async now => {
    if (method === 'HEAD') return (await intake.knows(params.monitor)) ? { state: 'log', at: now } : null
    return intake.take({ ...read(), address: params.monitor, method, ip })
  })
  if (method !== 'HEAD') services.metrics.pings.inc({ state })
  return `{"data":{"state":"${state}","received_at":"${stamp(new Date(at))}"}}`
}
