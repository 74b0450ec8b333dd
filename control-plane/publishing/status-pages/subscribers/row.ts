import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { among, queries, stamp } from '#control-plane/db/queries.ts'
import { languages } from '#locales/languages.ts'
import { decryptAddress, subscriberChannels } from './address.ts'

export const mayRead = { tenant: 'status-pages:write', reseller: 'status-pages:write' } as const
export const mayWrite = { tenant: 'status-pages:write', reseller: 'status-pages:write' } as const

export const subscriberStates = ['pending', 'active', 'unsubscribed'] as const
export const subscriberSources = ['self', 'admin', 'import'] as const

const time = z.string().meta({ format: 'date-time' })

export const SubscriberView = z
  .object({
    id: z.uuid(),
    channel: z.enum(subscriberChannels),
    address: z.string().nullable().meta({ description: 'null if it cannot be decrypted.' }),
    component_ids: z.array(z.uuid()).meta({ description: 'Empty: all components of the page.' }),
    locale: z.enum(languages),
    state: z.enum(subscriberStates).meta({ description: 'Only `active` ones get updates.' }),
    source: z
      .enum(subscriberSources)
      .meta({ description: 'Who subscribed the address: its owner, the team, an import.' }),
    confirmed_at: time.nullable(),
    unsubscribed_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: 'StatusPageSubscriber' })

type SubscriberRow = InferResult<ReturnType<typeof selectSubscribers>>[number]

export const selectSubscribers = (em: EntityManager, tenant: { id: string }, pageId: string) =>
  queries(em)
    .selectFrom('status_page_subscribers as s')
    .where('s.tenant_id', '=', tenant.id)
    .where('s.page_id', '=', pageId)
    .select(['s.id', 's.channel', 's.address', 's.component_ids', 's.locale', 's.state', 's.source'])
    .select(({ ref }) => [
      stamp(ref('s.confirmed_at')).as('confirmed_at'),
      stamp(ref('s.unsubscribed_at')).as('unsubscribed_at'),
      stamp(ref('s.created_at')).as('created_at'),
    ])

export function viewSubscriber(row: SubscriberRow, keys: Keyring): z.input<typeof SubscriberView> {
  return {
    ...row,
    channel: subscriberChannels.find(known => known === row.channel) ?? 'email',
    locale: languages.find(known => known === row.locale) ?? 'en',
    state: subscriberStates.find(known => known === row.state) ?? 'pending',
    source: subscriberSources.find(known => known === row.source) ?? 'self',
    address: readAddress(row, keys),
  }
}

function readAddress({ id, address }: { id: string; address: string }, keys: Keyring): string | null {
  try {
    return decryptAddress(keys, id, address)
  } catch {
    return null
  }
}

/** The page of the path. */
export async function findPage(em: EntityManager, tenant: { id: string }, id: string) {
  const page = await queries(em)
    .selectFrom('status_pages')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .select(['id', 'locale'])
    .executeTakeFirst()
  if (!page) throw notFound('Status page')
  return page
}

/** Refuses ids that are no components of the page. */
export async function validateComponents(em: EntityManager, pageId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = await queries(em)
    .selectFrom('status_page_components')
    .where('page_id', '=', pageId)
    .where('id', '=', among(ids))
    .select('id')
    .execute()
  const found = new Set(known.map(({ id }) => id))
  const missing = ids.filter(id => !found.has(id))
  if (missing.length > 0) throw invalid({ component_ids: ['Names a component that this page does not have.'] })
}
