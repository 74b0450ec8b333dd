import { z } from 'zod'
import { among, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type PassiveType, passiveTypes } from '#control-plane/monitoring/checks/input.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { pingUrl } from './heartbeats/view.ts'
import { InstallView, installOf } from './servers/install.ts'
import { mintServerToken } from './servers/token.ts'

export const ConnectionView = z
  .object({
    monitor_id: z.uuid(),
    name: z.string(),
    type: z.enum(passiveTypes),
    ping_url: z.url().nullable().meta({ description: 'Of a job: where it pings.' }),
    plain_text_token: z
      .string()
      .nullable()
      .meta({ description: 'Of a server: its agent’s token, shown this once. `rotate-token` makes another.' }),
    install: InstallView.nullable(),
  })
  .meta({ id: 'MonitorConnection', description: 'What a job or a server needs to report.' })

export const connections = z
  .array(ConnectionView)
  .meta({ description: 'What the jobs and servers among the monitors need to report.' })

/** How jobs and servers among monitors just created report. Servers get their first token here. */
export async function connect(
  { em, tenant, now, services }: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services'>,
  ids: readonly string[],
) {
  if (ids.length === 0) return []
  const rows = await queries(em)
    .selectFrom('monitors as m')
    .leftJoin('heartbeats as h', 'h.monitor_id', 'm.id')
    .leftJoin('ping_addresses as a', join => join.onRef('a.check_id', '=', 'h.check_id').on('a.ends_at', 'is', null))
    .where('m.tenant_id', '=', tenant.id)
    .where('m.id', '=', among(ids))
    .where('m.type', 'in', passiveTypes)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .select(['m.id', 'm.name', 'a.id as address'])
    .select(({ ref }) => ref('m.type').$castTo<PassiveType>().as('type'))
    .execute()
  const origin = await keptOriginOf(services, tenant.id)
  const connected: z.input<typeof ConnectionView>[] = []
  for (const { id, name, type, address } of rows) {
    const token = type === 'agent' ? await mintServerToken(em, tenant, id, now) : null
    connected.push({
      monitor_id: id,
      name,
      type,
      ping_url: address && pingUrl(origin, address),
      plain_text_token: token,
      install: token === null ? null : installOf(origin, token),
    })
  }
  return connected
}
