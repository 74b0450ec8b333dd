import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** One thing somebody did. The person’s name is told while they belong to the team. */
export const AuditEntryView = z
  .object({
    id: z.uuid(),
    action: z.string(),
    entity_type: z.string(),
    entity_id: z.uuid().nullable(),
    user_id: z.uuid().nullable(),
    user_name: z.string().nullable(),
    impersonator_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The reseller’s person behind it, where it was done by an impersonation token.' }),
    token_id: z.uuid().nullable(),
    changes: z.record(z.string(), z.unknown()).nullable(),
    ip: z.string().nullable(),
    request_id: z.string().nullable(),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'AuditEntry' })

/** The trail of a team as `AuditEntryView` shows it, to be filtered. */
export const selectEntries = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('audit_entries as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .where('a.tenant_id', '=', tenant.id)
    .select(['a.id', 'a.action', 'a.entity_type', 'a.entity_id', 'a.user_id', 'u.name as user_name'])
    .select(['a.impersonator_id', 'a.token_id', 'a.request_id'])
    .select(({ ref, fn }) => [
      ref('a.changes').$castTo<Record<string, unknown> | null>().as('changes'),
      fn<string | null>('host', ['a.ip']).as('ip'),
      stamp(ref('a.created_at')).as('created_at'),
    ])
