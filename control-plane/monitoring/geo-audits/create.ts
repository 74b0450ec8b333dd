import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { isProbedKindName } from '#checks/index.ts'
import type { Limits } from '#contract/plans.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import type { AskedRegion } from '#control-plane/db/model/shapes.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { tooMany } from '#control-plane/http/rate.ts'
import { created } from '#control-plane/http/reply.ts'
import { checksOf } from '#control-plane/monitoring/checks/find.ts'
import { regionsOf } from '#control-plane/monitoring/checks/next-run.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { notRunning } from '#control-plane/monitoring/monitors/not-running.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { carryOut } from './results.ts'
import { findGeoAudit } from './row.ts'
import { GeoAuditView, viewGeoAudit } from './view.ts'

/** Each audit causes a run in every region at once. */
const aMinute = 6
/** Of a monitor; older ones are deleted. */
const keptAudits = 100

export const createGeoAudit = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/geo-audits',
  summary: 'Run a check from every region at once',
  description:
    'Compares the results. ' +
    'Needs the plan feature `geo_audits`. Answers at once; the audit is pending until all regions have answered, for ' +
    'half a minute at most. Six a minute for each team.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: z.object({
    check_id: z.uuid().toLowerCase().optional().meta({
      description: 'The check to run. By default the first enabled one, an uptime check before others.',
    }),
  }),
  returns: created({ data: GeoAuditView }),

  async handle({ em, tenant, params, body, services, now, audit, afterCommit }) {
    const { plan, limits } = await planNow(em, tenant.id)
    if (!limits.geo_audits) throw notInPlan('geo_audits', plan, 'The plan does not include geo audits.')
    const monitor = await findMonitor(em, tenant, params.monitor)
    const check = chosen(await checksOf(em, tenant, [monitor.id]), body.check_id)
    const counted = await services.rate.count(`geo-audits:${tenant.id}`, aMinute, services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)

    const id = randomUUID()
    const db = queries(em)
    await db
      .insertInto('geo_audits')
      .values({
        id,
        tenant_id: tenant.id,
        monitor_id: monitor.id,
        check_id: check.id,
        check_type: check.type,
        regions: json(await regionsToAsk(em, check, limits, now)),
        created_at: now.toISOString(),
      })
      .execute()
    const audits = db.selectFrom('geo_audits').where('tenant_id', '=', tenant.id).where('monitor_id', '=', monitor.id)
    await db
      .deleteFrom('geo_audits')
      .where('tenant_id', '=', tenant.id)
      .where('monitor_id', '=', monitor.id)
      .where('id', 'in', audits.orderBy('created_at', 'desc').orderBy('id', 'desc').offset(keptAudits).select('id'))
      .execute()
    audit('monitor.geo_audit_requested', { type: 'monitor', id: monitor.id })
    afterCommit(() => {
      // the answer does not wait for the regions
      carryOut(services, tenant.id, { id, monitor_id: monitor.id, check_id: check.id }, now).catch(error =>
        services.log.warn({ err: error, audit: id }, 'geo audit write failure; stored when it is read'),
      )
    })
    return { data: viewGeoAudit(await findGeoAudit(em, tenant, id)) }
  },
})

/** The check to run: one that regions run and that is not paused. */
function chosen(checks: readonly CheckRow[], wanted: string | undefined): CheckRow {
  const runnable = checks.filter(check => isProbedKindName(check.type))
  if (wanted !== undefined && !runnable.some(({ id }) => id === wanted))
    throw invalid({ check_id: ['Is no check of this monitor that regions run.'] })
  const running = runnable.filter(
    check => check.is_enabled && check.is_monitor_running && (wanted === undefined || check.id === wanted),
  )
  const check = running.find(({ type }) => type === 'uptime') ?? running[0]
  if (!check) throw notRunning('check_id', runnable[0])
  return check
}

const agentSilentMs = 20_000

/** The regions of a check, and whether each has an agent that reported lately. */
async function regionsToAsk(em: EntityManager, check: CheckRow, limits: Limits, now: Date): Promise<AskedRegion[]> {
  const agents = await queries(em)
    .selectFrom('agents')
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '>', new Date(now.getTime() - agentSilentMs).toISOString())
    .select('region')
    .distinct()
    .execute()
  return regionsOf(check, limits).map(region => ({ region, has_agent: agents.some(agent => agent.region === region) }))
}
