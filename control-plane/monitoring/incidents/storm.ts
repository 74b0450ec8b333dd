import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

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
  const of = (table: 'storms' | 'host_storms', host: string, column: string) => `
    select s.id, ${host} as host, ${stampSql('s.started_at')} as started_at,
      ${stampSql('s.notified_at')} as notified_at, ${stampSql('s.resolved_at')} as resolved_at, n.monitors_count,
      n.down_count
    from ${table} s cross join lateral (
      select count(distinct i.monitor_id)::int as monitors_count,
        count(distinct i.monitor_id) filter (where i.resolved_at is null)::int as down_count
      from incidents i where i.${column} = s.id) n
    where s.tenant_id = ? and s.id = ?`
  const [storm] = await em.execute<z.input<typeof IncidentStormView>[]>(
    `${of('storms', 'null::text', 'storm_id')} union all ${of('host_storms', 's.host', 'host_storm_id')}
       and s.notified_at is not null`,
    [tenant.id, id, tenant.id, id],
  )
  return storm ?? null
}
