import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { among, queries, type Row } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { pauseOverPlan } from './pause-over-plan.ts'

const ids = z.array(z.uuid())

const KeptMonitors = z
  .object({
    limit: z.int().nullable().meta({ description: 'How many monitors the plan allows; `null`: any number.' }),
    chosen: ids.meta({ description: 'Monitors that are kept before all others.' }),
    kept: ids.meta({ description: 'Monitors within the plan: those chosen, then the oldest.' }),
    on_hold: ids.meta({ description: 'Monitors over the plan limit: not checked, not deleted.' }),
  })
  .meta({ id: 'KeptMonitors' })

type KeptRow = Row<'monitors', 'id' | 'type' | 'is_kept' | 'held_by_plan'>

const readRows = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .select(['id', 'type', 'is_kept', 'held_by_plan'])
    .orderBy('is_kept', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

const viewKept = (limit: number | null, rows: readonly KeptRow[]): z.input<typeof KeptMonitors> => {
  const those = (wanted: (row: KeptRow) => boolean) => rows.filter(wanted).map(row => row.id)
  return {
    limit,
    chosen: those(row => row.is_kept),
    kept: those(row => !row.held_by_plan),
    on_hold: those(row => row.held_by_plan),
  }
}

const limitOf = (tenant: TenantContext) => effectiveLimits(tenant.plan, tenant.featureOverrides).monitors

export const getKeptMonitors = endpoint({
  method: 'GET',
  path: '/plan/kept-monitors',
  summary: 'List the monitors within the plan and those over its limit',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: KeptMonitors }),
  handle: async ({ em, tenant }) => ({ data: viewKept(limitOf(tenant), await readRows(em, tenant)) }),
})

export const putKeptMonitors = endpoint({
  method: 'PUT',
  path: '/plan/kept-monitors',
  summary: 'Choose the monitors to keep within the plan',
  description:
    'For when there are more than the plan allows. ' +
    'The choice is sent whole. Places it leaves open go to the oldest of the others.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: z.object({
    monitor_ids: z
      .array(z.uuid().toLowerCase())
      .max(5_000)
      .transform(list => [...new Set(list)]),
  }),
  returns: ok({ data: KeptMonitors }),

  async handle({ em, tenant, body, now, audit }) {
    await lockCount(em, tenant, 'monitors')
    const { monitors: limit, agent_limit: mostServers } = await limitsNow(em, tenant.id)
    const rows = await readRows(em, tenant)
    const known = new Set(rows.map(row => row.id))
    const unknown = body.monitor_ids.flatMap((id, index) =>
      known.has(id) ? [] : [[`monitor_ids.${index}`, ['Monitor not found.']]],
    )
    if (unknown.length > 0) throw invalid(Object.fromEntries(unknown))
    if (limit !== null && body.monitor_ids.length > limit)
      throw invalid({ monitor_ids: [new Sentence('The plan allows {n} monitors.', { n: limit })] })

    const before = rows.filter(row => row.is_kept).map(row => row.id)
    const chosen = new Set(body.monitor_ids)
    if (rows.filter(row => row.type === 'agent' && chosen.has(row.id)).length > mostServers)
      throw invalid({ monitor_ids: [new Sentence('The plan allows {n} servers.', { n: mostServers })] })
    const after = rows.map(row => row.id).filter(id => chosen.has(id))
    if (!isDeepStrictEqual(new Set(before), chosen)) {
      await queries(em)
        .updateTable('monitors')
        .set({ is_kept: sql<boolean>`not is_kept`, updated_at: now.toISOString() })
        .where('tenant_id', '=', tenant.id)
        .where('is_kept', '<>', sql<boolean>`(id = ${among(after)})`)
        .execute()
      await pauseOverPlan(em, tenant.id)
      audit('plan.kept_monitors_changed', { type: 'tenant', id: tenant.id }, { monitor_ids: { before, after } })
    }
    return { data: viewKept(limit, await readRows(em, tenant)) }
  },
})
