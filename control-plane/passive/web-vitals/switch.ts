import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { beaconsOf } from './beacons.ts'
import { BeaconView, viewBeacon } from './view.ts'

const access = { tenant: 'monitors:write', reseller: 'monitors:write' } as const

export const enableVitals = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/web-vitals',
  operation: 'monitors.webVitals.enable',
  summary: 'Enable web vitals of a monitor',
  description:
    'Returns the script for the pages of the site. Needs the plan feature `web_vitals`. A second call returns the ' +
    'same; with `rotate` it creates a new address, and the old one ends within a minute.',
  access,
  body: z.object({ rotate: z.boolean().default(false) }),
  returns: ok({ data: BeaconView }),

  async handle({ em, tenant, params, body, services, audit, afterCommit }) {
    const { plan, limits } = await planNow(em, tenant.id)
    if (!limits.web_vitals) throw notInPlan('web_vitals', plan, 'The plan does not include web vitals.')
    const monitor = await findMonitor(em, tenant, params.monitor)
    const db = queries(em)
    const stored = db
      .selectFrom('vitals_beacons')
      .where('tenant_id', '=', tenant.id)
      .where('monitor_id', '=', monitor.id)
    const old = await stored.select('beacon_id').forUpdate().executeTakeFirst()
    const row = await db
      .insertInto('vitals_beacons')
      .values({ monitor_id: monitor.id, tenant_id: tenant.id, beacon_id: randomUUID() })
      .onConflict(conflict =>
        conflict.column('monitor_id').doUpdateSet(({ ref }) => ({
          beacon_id: ref(body.rotate ? 'excluded.beacon_id' : 'vitals_beacons.beacon_id'),
          updated_at: sql<string>`now()`,
        })),
      )
      .returning(['monitor_id', 'beacon_id'])
      .returning(({ ref }) => stamp(ref('created_at')).as('created_at'))
      .executeTakeFirstOrThrow()
    if (row.beacon_id !== old?.beacon_id) {
      audit(old ? 'monitor.web_vitals_rotated' : 'monitor.web_vitals_enabled', { type: 'monitor', id: monitor.id })
      if (old) afterCommit(() => beaconsOf(services).forget(old.beacon_id))
    }
    return { data: viewBeacon(row, await keptOriginOf(services, tenant.id)) }
  },
})

export const disableVitals = endpoint({
  method: 'DELETE',
  path: '/monitors/{monitor}/web-vitals',
  operation: 'monitors.webVitals.disable',
  summary: 'Disable web vitals of a monitor',
  description: 'Stored measurements are kept.',
  access,
  returns: noContent,

  async handle({ em, tenant, params, services, audit, afterCommit }) {
    const monitor = await findMonitor(em, tenant, params.monitor)
    const gone = await queries(em)
      .deleteFrom('vitals_beacons')
      .where('tenant_id', '=', tenant.id)
      .where('monitor_id', '=', monitor.id)
      .returning('beacon_id')
      .executeTakeFirst()
    if (!gone) return
    audit('monitor.web_vitals_disabled', { type: 'monitor', id: monitor.id })
    afterCommit(() => beaconsOf(services).forget(gone.beacon_id))
  },
})
