import { sql } from 'kysely'
import { z } from 'zod'
import { countRows, rows, stamp } from '#control-plane/db/queries.ts'
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
    via: z.enum(['mail', 'webhook']).meta({
      description: 'webhook: you suppress the mail, and your webhook did not receive it.',
    }),
    state: z.enum(['retrying', 'given_up']),
    reason: z.string().meta({
      description:
        'Why the last attempt failed. Of a mail: `recipient` and `refused` of this mail, `unreadable` of its ' +
        'content, all others of the mail server, as in `failure` of GET /smtp-config. Of a webhook: `error` of the ' +
        'last attempt in GET /reseller/webhooks/{webhook}/deliveries.',
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
const those = (reseller: string) => sql`
  select o.id::text as id, m.id as managed_team_id, m.name as team_name, o.name as type, 'mail' as via,
    case when o.done_at is null then 'retrying' else 'given_up' end as state,
    o.error as reason, o.attempts, o.created_at, o.done_at as given_up_at
  from managed_teams m
  join outbox o on o.tenant_id = m.tenant_id and o.kind = 'mail' and o.error is not null
  where m.reseller_id = ${reseller} and m.deleted_at is null
  union all
  select d.id::text, m.id, m.name, substr(d.event, 7), 'webhook',
    case when d.status = 'failed' then 'given_up' else 'retrying' end,
    coalesce(d.log -> -1 ->> 'error', 'internal'), d.attempts, d.created_at, d.finished_at
  from deliveries d
  join managed_teams m on m.tenant_id = d.managed_tenant_id and m.reseller_id = d.tenant_id and m.deleted_at is null
  where d.tenant_id = ${reseller} and d.event like 'email.%' and d.status in ('retrying', 'failed')`

export const listUndeliveredMails = endpoint({
  method: 'GET',
  path: '/reseller/undelivered-mails',
  summary: 'List the mails of your managed teams that were not delivered',
  description:
    'Newest first. ' +
    'Mails that a server did not take and that are sent again, and those that were given up. The latter are kept for ' +
    'seven days, without address and content. So are mails that you suppress and that your webhook did not receive, ' +
    'as long as your notification log is kept. A mail that a server took and that bounced later is not known here.',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(UndeliveredMail),

  async handle({ services, tenant: reseller, query, url }) {
    const { platform } = services
    const [total, page] = await Promise.all([
      countRows(platform)`from (${those(reseller.id)}) u`,
      rows(platform)<z.input<typeof UndeliveredMail>>`
        select u.id, u.managed_team_id, u.team_name, u.type, u.via, u.state, u.reason, u.attempts,
          ${stamp('u.created_at')} as created_at, ${stamp('u.given_up_at')} as given_up_at
        from (${those(reseller.id)}) u order by u.created_at desc, u.id desc
        limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`,
    ])
    return { data: page, ...offsetParts(query, total, url) }
  },
})
