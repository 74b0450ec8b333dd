import { sql } from 'kysely'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { amongTexts, queries, stamp } from '#control-plane/db/queries.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findCronMonitor } from './find.ts'
import { pingStates } from './heartbeat.ts'

const time = z.string().meta({ format: 'date-time' })

const PingView = z
  .object({
    number: z.int().meta({ description: 'Which of the monitor’s pings it is, counted from 1.' }),
    at: time,
    state: z.enum(pingStates),
    method: z.enum(['GET', 'POST']),
    rid: z.string().nullable(),
    exit_code: z.int().nullable(),
    duration_ms: z.int().nullable().meta({ description: 'From the `start` of the run to this ping.' }),
    output: z.string().nullable(),
    ip: z.string().nullable(),
    is_former_url: z.boolean().meta({ description: 'It came to a URL that has been rotated.' }),
  })
  .meta({ id: 'ReceivedPing' })

const stateOf = (text: string) => pingStates.find(state => state === text) ?? 'log'

export const listPings = endpoint({
  method: 'GET',
  path: '/cron-monitors/{cron_monitor}/pings',
  summary: 'List the pings of a cron monitor, newest first',
  description: 'The newest thousand are kept, and none for longer than the plan keeps results.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: cursorQuery.extend({ state: commaList(pingStates).optional() }),
  returns: cursorPage(PingView),

  async handle({ em, tenant, params, query, now, url, services }) {
    const { check_id } = await findCronMonitor(em, tenant, params.cron_monitor)
    const days = effectiveLimits(tenant.plan, tenant.featureOverrides).data_retention_days
    const read = readByCursor({ services, tenant, url }, query, 'pings:number:desc')
    const { place, isBackwards } = read
    const oldest = new Date(now.getTime() - days * 86_400_000)
    let kept = queries(em)
      .selectFrom('pings')
      .where('tenant_id', '=', tenant.id)
      .where('check_id', '=', check_id)
      .where('pings.at', '>', oldest.toISOString())
    if (query.state) kept = kept.where('state', '=', amongTexts(query.state))
    if (place) kept = kept.where('number', isBackwards ? '>' : '<', String(place.key))
    const found = await kept
      .orderBy('number', isBackwards ? 'asc' : 'desc')
      .limit(read.limit)
      .select(['number', 'state', 'method', 'run_id', 'exit_code', 'duration_ms', 'output', 'is_former_url'])
      .select(({ ref }) => [stamp(ref('pings.at')).as('at'), sql<string | null>`host(ip)`.as('ip')])
      .execute()
    const { rows, ...page } = pageOf(read, found, row => ({ key: row.number, id: check_id }))
    return {
      data: rows.map(({ run_id, ...row }) => ({
        ...row,
        number: Number(row.number),
        state: stateOf(row.state),
        method: row.method === 'GET' ? ('GET' as const) : ('POST' as const),
        rid: run_id,
        duration_ms: row.duration_ms === null ? null : Number(row.duration_ms),
      })),
      ...page,
    }
  },
})
