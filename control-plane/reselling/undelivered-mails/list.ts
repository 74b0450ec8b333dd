import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'

const time = z.string().meta({ format: 'date-time' })

const UndeliveredMail = z
  .object({
    id: z.string(),
    managed_team_id: z.uuid(),
    team_name: z.string(),
    type: z.string().meta({ description: 'The type of the mail, such as `password_reset`.' }),
    state: z.enum(['retrying', 'given_up']),
    reason: z.string().meta({
      description:
        'Why the last attempt failed: `recipient` and `refused` of this mail, `unreadable` of its content, all ' +
        'others of the mail server, as in `failure` of GET /smtp-config.',
    }),
    attempts: z.int(),
    created_at: time,
    given_up_at: time.nullable(),
  })
  .meta({ id: 'UndeliveredMail' })

/**
 * Over several tenants, so it runs as the platform, without row security: the join with the reseller's teams excludes
 * the mails of all other tenants.
 */
const those = `
  from managed_teams m
  join outbox o on o.tenant_id = m.tenant_id and o.kind = 'mail' and o.error is not null
  where m.reseller_id = $1 and m.deleted_at is null`

export const listUndeliveredMails = endpoint({
  method: 'GET',
  path: '/reseller/undelivered-mails',
  summary: 'List the mails of your managed teams that were not delivered',
  description:
    'Newest first. ' +
    'Mails that a server did not take and that are sent again, and those that were given up. The latter are kept for ' +
    'seven days, without address and content. A mail that a server took and that bounced later is not known here.',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(UndeliveredMail),

  async handle({ services, tenant: reseller, query, url }) {
    const { platform } = services
    const [counted, page] = await Promise.all([
      platform.query<{ total: number }>(`select count(*)::int as total ${those}`, [reseller.id]),
      platform.query<z.input<typeof UndeliveredMail>>(
        `select o.id::text as id, m.id as managed_team_id, m.name as team_name, o.name as type,
           case when o.done_at is null then 'retrying' else 'given_up' end as state,
           o.error as reason, o.attempts, ${stampSql('o.created_at')} as created_at,
           ${stampSql('o.done_at')} as given_up_at
         ${those} order by o.id desc limit $2 offset $3`,
        [reseller.id, query.per_page, (query.page - 1) * query.per_page],
      ),
    ])
    return { data: page.rows, ...offsetParts(query, counted.rows[0]?.total ?? 0, url) }
  },
})
