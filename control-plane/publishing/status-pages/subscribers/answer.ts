import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Config } from '#control-plane/config.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { languages } from '#locales/languages.ts'
import { decryptAddress } from './address.ts'
import { hasPlace } from './quota.ts'
import { mayRead, type Reader, readerSql } from './reader.ts'
import { manageTokenShape, subscriberOf } from './tokens.ts'

const notOpen = () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')
const ManageToken = z.string().regex(manageTokenShape, 'Must be the token of a subscription.')

const lockByToken = (token: string) => sql<Row<'status_page_subscribers', 'id' | 'tenant_id'>>`
  select s.id, s.tenant_id from status_page_subscribers s
  join status_pages p on p.id = s.page_id and p.state = 'published'
  join tenants t on t.id = s.tenant_id and t.deleted_at is null and t.suspended_at is null
  where s.token_hash = ${hashSecret(token)} for update of s`

/** Makes a subscriber active, if the plan has room for it. Its link cannot be used again. */
export async function activate(
  client: PoolClient,
  { id, tenant_id }: Row<'status_page_subscribers', 'id' | 'tenant_id'>,
  now: Date,
): Promise<boolean> {
  if (!(await hasPlace(client, tenant_id, now, id))) return false
  await rows(client)`update status_page_subscribers set state = 'active', token_hash = null, unsubscribed_at = null,
    confirmed_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${id}`
  return true
}

export const confirmSubscription = endpoint({
  method: 'POST',
  path: '/status-subscriptions/confirm',
  summary: 'Confirm a subscription to a status page',
  description: 'With the token of the question. The link works once. A later question makes it void.',
  tag: 'status-pages',
  access: 'public',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: noContent,

  async handle({ body, services, now }) {
    const isRoom = await inTransaction(services.platform, async client => {
      const [subscriber] = await rows(client, lockByToken(body.token))
      if (!subscriber) throw notOpen()
      return activate(client, subscriber, now)
    })
    if (!isRoom) throw invalid({ token: ['This page takes no more subscribers at present.'] }, 'subscribers_full')
  },
})

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/status-subscriptions/unsubscribe',
  summary: 'Unsubscribe from a status page by a link, without signing in',
  description:
    'Mail programs call it for `List-Unsubscribe` (RFC 8058). A body is ignored; a second call changes nothing.',
  tag: 'status-pages',
  access: 'public',
  detached: true,
  query: z.object({ token: z.string().max(200) }),
  returns: ok({ message: z.string() }),

  async handle({ query, services: { config, platform } }) {
    const id = subscriberOf(config, query.token)
    if (id === null) throw invalid({ token: ['This link is not one of ours.'] })
    await rows(platform)`update status_page_subscribers set state = 'unsubscribed', token_hash = null,
      unsubscribed_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = ${id} and state <> 'unsubscribed'`
    return { message: 'You will get no more updates of this page.' }
  },
})

const ViewedSubscription = z
  .object({
    page_name: z.string(),
    state: z.enum(['pending', 'active', 'unsubscribed']),
    locale: z.enum(languages),
    component_ids: z.array(z.uuid()),
    components: z.array(z.object({ id: z.uuid(), name: z.string() })).meta({ description: 'Those of the page.' }),
  })
  .meta({ id: 'StatusPageSubscription' })

const view = (id: string | null) => sql<Viewed & Reader & Row<'status_page_subscribers', 'id' | 'address'>>`
  select s.id, s.address, ${readerSql}, p.name as page_name, s.state, s.locale, s.component_ids,
    coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.position, c.id)
      from status_page_components c where c.page_id = p.id), '[]') as components
  from status_page_subscribers s
  join status_pages p on p.id = s.page_id and p.state = 'published'
  join tenants t on t.id = s.tenant_id and t.deleted_at is null and t.suspended_at is null
  where s.id = ${id}`

export const getSubscription = endpoint({
  method: 'POST',
  path: '/status-subscriptions/lookup',
  operation: 'statusSubscriptions.get',
  summary: 'Get a subscription by the token of its messages',
  description: 'Changes nothing.',
  tag: 'status-pages',
  access: 'public',
  detached: true,
  body: z.object({ token: ManageToken }),
  returns: ok({ data: ViewedSubscription }),

  async handle({ body, services: { config, platform } }) {
    const id = subscriberOf(config, body.token)
    return { data: await viewed(platform, config, id) }
  },
})

type Viewed = z.output<typeof ViewedSubscription>

/** One who may not read the page any more sees none of its components. */
async function viewed(platform: Pool, config: Config, id: string | null): Promise<Viewed> {
  const [row] = await rows(platform, view(id))
  if (!row) throw notOpen()
  const { page_name, state, locale, component_ids, components } = row
  const isReader = mayRead(row, decryptAddress(config, row.id, row.address))
  return { page_name, state, locale, component_ids, components: isReader ? components : [] }
}

const change = (id: string | null, wanted: string | null, locale: string | null) => sql`
  update status_page_subscribers s set updated_at = clock_timestamp(), locale = coalesce(${locale}, s.locale),
    component_ids = case when ${wanted}::jsonb is null then s.component_ids
      else array(select jsonb_array_elements_text(${wanted}::jsonb)::uuid) end
  where s.id = ${id} and s.state = 'active' and (${wanted}::jsonb is null or not exists (
    select 1 from jsonb_array_elements_text(${wanted}::jsonb) wanted
    where not exists (
      select 1 from status_page_components c where c.page_id = s.page_id and c.id = wanted::uuid)))
  returning s.id`

export const updateSubscription = endpoint({
  method: 'PUT',
  path: '/status-subscriptions',
  operation: 'statusSubscriptions.update',
  summary: 'Update a subscription to a status page',
  description: 'Its components and its language, by the token of its messages.',
  tag: 'status-pages',
  access: 'public',
  detached: true,
  body: z.object({
    token: ManageToken,
    component_ids: z.array(z.uuid().toLowerCase()).max(200).optional(),
    locale: z.enum(languages).optional(),
  }),
  returns: ok({ data: ViewedSubscription }),

  async handle({ body, services: { config, platform } }) {
    const id = subscriberOf(config, body.token)
    if ((await viewed(platform, config, id)).state !== 'active') throw notOpen()
    const wanted = body.component_ids === undefined ? null : JSON.stringify([...new Set(body.component_ids)])
    if ((await affected(platform, change(id, wanted, body.locale ?? null))) === 0)
      throw invalid({ component_ids: ['Names a component that this page does not have.'] })
    return { data: await viewed(platform, config, id) }
  },
})
