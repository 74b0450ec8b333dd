import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** One action. The name of the acting person is shown while they belong to the team. */
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
      .meta({ description: 'The reseller’s person who acted with an impersonation token.' }),
    token_id: z.uuid().nullable(),
    changes: z.record(z.string(), z.unknown()).nullable(),
    ip: z.string().nullable(),
    request_id: z.string().nullable(),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'AuditEntry' })

/** A query for the audit entries of a team as `AuditEntryView` shows them. */
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
