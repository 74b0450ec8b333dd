import { sql } from 'kysely'
import { z } from 'zod'
import { auditEntities } from '#control-plane/base/audit-entities.ts'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, meaning, moment, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { AuditEntryView, selectEntries } from './entry.ts'

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
  user_id: z.uuid().optional().meta({ description: 'The acting person, also through a service user' }),
  from: moment.optional(),
  to: moment.optional().meta({ description: 'Up to, not including' }),
})

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/audit-log',
  summary: 'List a team’s audit entries, newest first',
  access: { tenant: 'settings:read', reseller: 'teams:read' },
  query,
  returns: offsetPage(AuditEntryView),

  async handle({ em, tenant, query, url }) {
    const { action, entity_type, entity_id, user_id, from, to } = query
    let entries = selectEntries(em, tenant)
    if (action) entries = entries.where('a.action', '=', sql<string>`any(${[...action]}::varchar[])`)
    if (entity_type) entries = entries.where('a.entity_type', '=', sql<string>`any(${[...entity_type]}::varchar[])`)
    if (entity_id !== undefined) entries = entries.where('a.entity_id', '=', entity_id)
    if (user_id !== undefined)
      entries = entries.where(({ eb, or }) =>
        or([eb('a.user_id', '=', user_id), eb('a.impersonator_id', '=', user_id)]),
      )
    // as a `Date`: the driver has a form for years that PostgreSQL does not read from ISO 8601
    if (from) entries = entries.where('a.created_at', '>=', sql<string>`${from}`)
    if (to) entries = entries.where('a.created_at', '<', sql<string>`${to}`)
    const { total: found } = await entries.clearSelect().select(total).executeTakeFirstOrThrow()
    const offset = (query.page - 1) * query.per_page
    const page = entries.orderBy('a.created_at', 'desc').orderBy('a.id', 'desc').limit(query.per_page).offset(offset)
    const data = offset >= found ? [] : await page.execute()
    return { data, ...offsetParts(query, found, url) }
  },
})
