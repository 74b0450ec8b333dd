import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'
import { beaconsOf } from './beacons.ts'
import { type BeaconRow, BeaconView, viewBeacon } from './view.ts'

const access = { tenant: 'monitors:write', reseller: 'monitors:write' } as const

export const enableVitals = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/web-vitals',
  operation: 'monitors.webVitals.enable',
  summary: 'Have the visitors of a site tell how fast it is',
  description:
    'Answers the script that goes into its pages. Needs the plan feature `web_vitals`. Once more, it answers the same; with `rotate` the address is a new one, and the old one dead within a minute.',
  access,
  body: z.object({ rotate: z.boolean().default(false) }),
  returns: ok({ data: BeaconView }),

  async handle({ em, tenant, params, body, services, audit, afterCommit }) {
    const { plan, limits } = await planNow(runIn(em), tenant.id)
    if (!limits.web_vitals) throw notInPlan('web_vitals', plan, 'The plan does not include web vitals.')
    const monitor = await findMonitor(em, tenant, params.monitor)
    const [old] = await em.execute<{ beacon_id: string }[]>(
      'select beacon_id from vitals_beacons where tenant_id = ? and monitor_id = ? for update',
      [tenant.id, monitor.id],
    )
    const [row] = await em.execute<BeaconRow[]>(
      `insert into vitals_beacons as held (monitor_id, tenant_id, beacon_id) values (?, ?, ?)
       on conflict (monitor_id) do update set beacon_id = case when ? then excluded.beacon_id else held.beacon_id end, updated_at = now()
       returning monitor_id, beacon_id, ${stampSql('created_at')} as created_at`,
      [monitor.id, tenant.id, randomUUID(), body.rotate],
    )
    if (row!.beacon_id !== old?.beacon_id) {
      audit(old ? 'monitor.web_vitals_rotated' : 'monitor.web_vitals_enabled', { type: 'monitor', id: monitor.id })
      if (old) afterCommit(() => beaconsOf(services).forget(old.beacon_id))
    }
    return { data: viewBeacon(row!, services.config) }
  },
})

export const disableVitals = endpoint({
  method: 'DELETE',
  path: '/monitors/{monitor}/web-vitals',
  operation: 'monitors.webVitals.disable',
  summary: 'Take no more web vitals of a site',
  description: 'What was told so far stays.',
  access,
  returns: noContent,

  async handle({ em, tenant, params, services, audit, afterCommit }) {
    const monitor = await findMonitor(em, tenant, params.monitor)
    const [gone] = await em.execute<{ beacon_id: string }[]>(
      'delete from vitals_beacons where tenant_id = ? and monitor_id = ? returning beacon_id',
      [tenant.id, monitor.id],
    )
    if (!gone) return
    audit('monitor.web_vitals_disabled', { type: 'monitor', id: monitor.id })
    afterCommit(() => beaconsOf(services).forget(gone.beacon_id))
  },
})
