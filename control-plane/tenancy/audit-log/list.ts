import { z } from 'zod'
import { auditEntities } from '#control-plane/base/audit-entities.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, meaning, moment, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type AuditEntryRow, AuditEntryView, selectEntries } from './entry.ts'

const actions = z
  .string()
  .max(1_000)
  .regex(/^[a-z_.-]+( *, *[a-z_.-]+)*$/, 'Must be a comma list of actions.')
  .transform(text => text.split(',').map(action => action.trim()))
  .meta(meaning({ type: 'array', items: { type: 'string', pattern: '^[a-z_.-]+$' } }))

const query = offsetQuery().extend({
  action: actions.optional(),
  entity_type: commaList(auditEntities).optional(),
  entity_id: z.uuid().optional(),
  user_id: z.uuid().optional().meta({ description: 'Who did it, also in a service user’s name' }),
  from: moment.optional(),
  to: moment.optional().meta({ description: 'Up to, not including' }),
})

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/audit-log',
  summary: 'List what was done in a team, newest first',
  access: { tenant: 'settings:read', reseller: 'teams:read' },
  query,
  returns: offsetPage(AuditEntryView),

  async handle({ em, tenant, query, url }) {
    const wanted = ['a.tenant_id = ?']
    const values: unknown[] = [tenant.id]
    const want = (sql: string, value: unknown) => {
      if (value === undefined) return
      wanted.push(sql)
      values.push(value)
    }
    want('a.action = any(array[?]::varchar[])', query.action)
    want('a.entity_type = any(array[?]::varchar[])', query.entity_type)
    want('a.entity_id = ?', query.entity_id)
    want('? in (a.user_id, a.impersonator_id)', query.user_id)
    want('a.created_at >= ?', query.from)
    want('a.created_at < ?', query.to)
    const where = wanted.join(' and ')
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total from audit_entries a where ${where}`,
      values,
    )
    const offset = (query.page - 1) * query.per_page
    const data =
      offset >= total
        ? []
        : await em.execute<AuditEntryRow[]>(
            `select ${selectEntries} from audit_entries a left join users u on u.id = a.user_id
             where ${where} order by a.created_at desc, a.id desc limit ? offset ?`,
            [...values, query.per_page, offset],
          )
    return { data, ...offsetParts(query, total, url) }
  },
})
