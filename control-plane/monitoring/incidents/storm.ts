import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { rows, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const IncidentStormView = z
  .object({
    id: z.uuid(),
    host: z.string().nullable().meta({ description: 'The host that its monitors share; null: a storm of the team.' }),
    started_at: time,
    notified_at: time.nullable().meta({ description: 'When people’s channels were notified of it; null: not yet.' }),
    resolved_at: time.nullable(),
    monitors_count: z.int(),
    down_count: z.int(),
  })
  .meta({ id: 'IncidentStorm', description: 'Many monitors that failed at once, notified as one; null: it was none.' })

/** The storm that an incident was a part of, with its monitors. Of a host: once there were enough of them. */
export async function readStorm(
  em: EntityManager,
  tenant: { id: string },
  { storm_id: id }: { storm_id: string | null },
): Promise<z.input<typeof IncidentStormView> | null> {
  if (id === null) return null
  const of = (table: 'storms' | 'host_storms', host: RawBuilder<unknown>, column: string) => sql`
    select s.id, ${host} as host, ${stamp('s.started_at')} as started_at,
      ${stamp('s.notified_at')} as notified_at, ${stamp('s.resolved_at')} as resolved_at, n.monitors_count,
      n.down_count
    from ${sql.table(table)} s cross join lateral (
      select count(distinct i.monitor_id)::int as monitors_count,
        count(distinct i.monitor_id) filter (where i.resolved_at is null)::int as down_count
      from incidents i where ${sql.ref(`i.${column}`)} = s.id) n
    where s.tenant_id = ${tenant.id} and s.id = ${id}`
  const [storm] = await rows(em)<z.input<typeof IncidentStormView>>`
    ${of('storms', sql`null::text`, 'storm_id')} union all ${of('host_storms', sql`s.host`, 'host_storm_id')}
    and s.notified_at is not null`
  return storm ?? null
}
