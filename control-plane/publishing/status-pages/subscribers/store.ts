import { randomUUID } from 'node:crypto'
import { addressHash, addressHashes } from '#control-plane/base/address-hash.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { hostKey, type SubscriberChannel, sealAddress } from './address.ts'

export interface NewSubscriber {
  channel: SubscriberChannel
  address: string
  componentIds: readonly string[]
  locale: string
}

interface Into {
  tenantId: string
  pageId: string
  source: 'self' | 'admin' | 'import'
  /** Without a question: the team answers for its consent. */
  isConfirmed: boolean
}

// one whose address is there already, under whichever key its hash is, stays as it is. All addresses are joined to the
// page's at once: asked one by one, 2,000 of them read the page's thousands 2,000 times while its statistics are old
const insert = `
  with i as materialized (
    select ?::uuid as tenant_id, ?::uuid as page_id, ?::text as source, ?::boolean as is_confirmed
  ), r as materialized (
    select * from jsonb_to_recordset(?::jsonb) as r(id uuid, channel text, address text, hash text, hashes jsonb,
      host_key text, component_ids jsonb, locale text)
  ), present as materialized (
    select r.id
    from r cross join lateral jsonb_array_elements_text(r.hashes) h
    join (select s.channel, s.address_hash from i join status_page_subscribers s on s.page_id = i.page_id) s
      on s.channel = r.channel and s.address_hash = decode(h, 'hex')
  )
  insert into status_page_subscribers (id, tenant_id, page_id, channel, address, address_hash, host_key, component_ids,
    locale, state, source, confirmed_at)
  select r.id, i.tenant_id, i.page_id, r.channel, r.address, decode(r.hash, 'hex'), r.host_key,
    array(select jsonb_array_elements_text(r.component_ids)::uuid), r.locale,
    case when i.is_confirmed then 'active' else 'pending' end, i.source,
    case when i.is_confirmed then clock_timestamp() end
  from i cross join r
  where r.id not in (select id from present)
  on conflict (page_id, channel, address_hash) do nothing
  returning id`

/** Inserts subscribers of a page, and returns the ids of those that are new. */
export async function insertSubscribers(
  run: Run,
  keys: Keyring,
  { tenantId, pageId, source, isConfirmed }: Into,
  subscribers: readonly NewSubscriber[],
): Promise<string[]> {
  const added: string[] = []
  for (const some of inParts(subscribers)) {
    const rows = await inSlices(rowsFor(keys, some))
    const values = [tenantId, pageId, source, isConfirmed, `[${rows.join()}]`]
    added.push(...(await run<{ id: string }>(insert, values)).map(({ id }) => id))
  }
  return added
}

/** Rows of one statement: to send more at once takes a while too. */
const mostAtOnce = 1_000

function* inParts<Item>(all: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < all.length; at += mostAtOnce) yield all.slice(at, at + mostAtOnce)
}

/** As JSON, each encrypted by itself: of thousands this takes a while. */
function* rowsFor(keys: Keyring, subscribers: readonly NewSubscriber[]): Generator<undefined, string[]> {
  const rows: string[] = []
  for (const { channel, address, componentIds, locale } of subscribers) {
    const id = randomUUID()
    rows.push(
      JSON.stringify({
        id,
        channel,
        address: sealAddress(keys, id, address),
        hash: addressHash(keys, address).toString('hex'),
        hashes: addressHashes(keys, address).map(hash => hash.toString('hex')),
        host_key: hostKey(keys, channel, address),
        component_ids: componentIds,
        locale,
      }),
    )
    yield
  }
  return rows
}

/** Questions to one address in a week on one page, in a day on all pages, and to one host in an hour. */
export const askLimits = { aWeek: 3, aDay: 10, hostAnHour: 20 }

const askedSince = (interval: string, where: string) => `
  (select count(*) from status_page_subscribers o, unnest(o.asked_at) a
   where ${where} and a > clock_timestamp() - interval '${interval}')`

// the limits are against strangers who subscribe others: a question beyond them is left out without a word
const ask = `
  with asked as (
    update status_page_subscribers s set updated_at = clock_timestamp(), asked_at = array(
      select a from unnest(s.asked_at) a where a > clock_timestamp() - interval '7 days') || clock_timestamp()
    where s.id in (select jsonb_array_elements_text(?::jsonb)::uuid) and s.state <> 'active'
      and (not ?::boolean or (
        (select count(*) from unnest(s.asked_at) a where a > clock_timestamp() - interval '7 days') < ${askLimits.aWeek}
        and ${askedSince('1 day', 'o.address_hash = s.address_hash')} < ${askLimits.aDay}
        and (s.host_key = ''
          or ${askedSince('1 hour', 'o.host_key = s.host_key')} < ${askLimits.hostAnHour})))
    returning s.id, s.tenant_id, s.channel, s.host_key
  )
  insert into subscriber_messages (tenant_id, subscriber_id, queue, queue_key)
  select tenant_id, id, case when channel = 'email' then 'mail' else 'http' end,
    case when channel = 'email' then tenant_id::text else host_key end
  from asked where not exists (
    select 1 from subscriber_messages m where m.subscriber_id = asked.id and m.update_id is null and m.done_at is null)`

/** Queues the question whether the subscription is wanted. `isLimited`: at most as often as `askLimits` allow. */
export async function askSubscribers(
  run: Run,
  ids: readonly string[],
  { isLimited }: { isLimited: boolean },
): Promise<void> {
  for (const some of inParts(ids)) await run(ask, [JSON.stringify(some), isLimited])
}
