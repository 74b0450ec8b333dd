import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'

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

export type AuditEntryRow = Row<
  'audit_entries',
  | 'id'
  | 'action'
  | 'entity_type'
  | 'entity_id'
  | 'user_id'
  | 'impersonator_id'
  | 'token_id'
  | 'ip'
  | 'request_id'
  | 'created_at'
> & { user_name: Row<'users'>['name'] | null; changes: Record<string, unknown> | null }

/** Columns of `AuditEntryRow`, of `audit_entries` known as `a` and `users` as `u`. */
export const selectEntries = `
  a.id, a.action, a.entity_type, a.entity_id, a.user_id, u.name as user_name, a.impersonator_id, a.token_id, a.changes, host(a.ip) as ip, a.request_id,
  ${stampSql('a.created_at')} as created_at`
