import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { Sentence } from '#contract/sentence.ts'
import { addressHash, addressHashes } from '#control-plane/base/address-hash.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { among, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { isNewTeam, takeQuestions } from '#control-plane/tenancy/plans/mail-questions.ts'
import { encryptAddress, hostKey, type SubscriberChannel } from './address.ts'

export interface NewSubscriber {
  channel: SubscriberChannel
  address: string
  componentIds: readonly string[]
  locale: string
}

export interface Added {
  id: string
  address: string
}

interface Into {
  tenantId: string
  pageId: string
  source: 'self' | 'admin' | 'import'
  /** Without a question: the team answers for its consent. */
  isConfirmed: boolean
  /** `access_changed_at` of the page to which the visitor was let in; without it the page as it is now. */
  admittedAsOf?: string
}

/** Inserts subscribers of a page, and returns those that are new. */
export async function insertSubscribers(
  db: Db,
  keys: Keyring,
  into: Into,
  subscribers: readonly NewSubscriber[],
): Promise<Added[]> {
  const added: Added[] = []
  for (const some of inParts(subscribers)) {
    const addresses = new Map<string, string>()
    const given = `[${(await inSlices(rowsFor(keys, some, addresses))).join()}]`
    const made = await rows(db, insertStatement(into, given))
    added.push(...made.map(({ id }) => ({ id, address: addresses.get(id) ?? '' })))
  }
  return added
}

// one whose address is there already, under whichever key its hash is, stays as it is. All addresses are joined to the
// page's at once: asked one by one, 2,000 of them read the page's thousands 2,000 times while its statistics are old
const insertStatement = ({ tenantId, pageId, source, isConfirmed, admittedAsOf }: Into, given: string) =>
  sql<Row<'status_page_subscribers', 'id'>>`with i as materialized (
    select v.*, coalesce(v.admitted, p.access_changed_at) as admitted_as_of
    from (select ${tenantId}::uuid as tenant_id, ${pageId}::uuid as page_id, ${source}::text as source,
      ${isConfirmed}::boolean as is_confirmed, ${admittedAsOf ?? null}::timestamptz as admitted) v
      join status_pages p on p.id = v.page_id
  ), r as materialized (
    select * from jsonb_to_recordset(${given}::jsonb) as r(id uuid, channel text, address text, hash text, hashes jsonb,
      host_key text, component_ids jsonb, locale text)
  ), present as materialized (
    select r.id
    from r cross join lateral jsonb_array_elements_text(r.hashes) h
    join (select s.channel, s.address_hash from i join status_page_subscribers s on s.page_id = i.page_id) s
      on s.channel = r.channel and s.address_hash = decode(h, 'hex')
  )
  insert into status_page_subscribers (id, tenant_id, page_id, channel, address, address_hash, host_key, component_ids,
    locale, state, source, confirmed_at, admitted_as_of)
  select r.id, i.tenant_id, i.page_id, r.channel, r.address, decode(r.hash, 'hex'), r.host_key,
    array(select jsonb_array_elements_text(r.component_ids)::uuid), r.locale,
    case when i.is_confirmed then 'active' else 'pending' end, i.source,
    case when i.is_confirmed then clock_timestamp() end, i.admitted_as_of
  from i cross join r
  where r.id not in (select id from present)
  on conflict (page_id, channel, address_hash) do nothing
  returning id`

/** Rows of one statement: to send more at once takes a while too. */
const mostAtOnce = 1_000

function* inParts<Item>(all: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < all.length; at += mostAtOnce) yield all.slice(at, at + mostAtOnce)
}

/** As JSON, each encrypted by itself: of thousands this takes a while. `addresses` gets the address of each id. */
function* rowsFor(
  keys: Keyring,
  subscribers: readonly NewSubscriber[],
  addresses: Map<string, string>,
): Generator<undefined, string[]> {
  const texts: string[] = []
  for (const { channel, address, componentIds, locale } of subscribers) {
    const id = randomUUID()
    addresses.set(id, address)
    texts.push(
      JSON.stringify({
        id,
        channel,
        address: encryptAddress(keys, id, address),
        hash: addressHash(keys, address).toString('hex'),
        hashes: addressHashes(keys, address).map(hash => hash.toString('hex')),
        host_key: hostKey(keys, channel, address),
        component_ids: componentIds,
        locale,
      }),
    )
    yield
  }
  return texts
}

/** Questions to one address in a week on one page, in a day on all pages, and to one host in an hour. */
export const askLimits = { aWeek: 3, aDay: 10, hostAnHour: 20 }

const askedSince = (interval: string, where: RawBuilder<unknown>) => sql`
  (select count(*) from status_page_subscribers o, unnest(o.asked_at) a
   where ${where} and a > clock_timestamp() - ${interval}::interval)`

// the limits are against strangers who subscribe others: a question beyond them is left out without a word
const ask = (ids: readonly string[], isLimited: boolean) => sql`
  with asked as (
    update status_page_subscribers s set updated_at = clock_timestamp(), asked_at = array(
      select a from unnest(s.asked_at) a where a > clock_timestamp() - interval '7 days') || clock_timestamp()
    where s.id = ${among(ids)} and s.state <> 'active'
      and (not ${isLimited}::boolean or (
        (select count(*) from unnest(s.asked_at) a where a > clock_timestamp() - interval '7 days') < ${askLimits.aWeek}
        and ${askedSince('1 day', sql`o.address_hash = s.address_hash`)} < ${askLimits.aDay}
        and (s.host_key = ''
          or ${askedSince('1 hour', sql`o.host_key = s.host_key`)} < ${askLimits.hostAnHour})))
    returning s.id, s.tenant_id, s.channel, s.host_key
  )
  insert into subscriber_messages (tenant_id, subscriber_id, queue, queue_key)
  select tenant_id, id, case when channel = 'email' then 'mail' else 'http' end,
    case when channel = 'email' then tenant_id::text else host_key end
  from asked where not exists (
    select 1 from subscriber_messages m where m.subscriber_id = asked.id and m.update_id is null and m.done_at is null)`

type AskContext = Pick<RequestContext, 'em' | 'tenant' | 'services'>

/**
 * Queues the question to addresses that a team has added, within its budget of questions; 422 beyond that. An address
 * that was asked too often lately is left out, and the answer does not say so: it would reveal other teams.
 */
export async function askAdded({ em, tenant, services }: AskContext, added: readonly Added[]): Promise<void> {
  if (added.length === 0) return
  const { mayAsk } = await takeForTeam({ em, tenant, services }, added)
  const ids = added.filter(({ address }) => mayAsk.has(address)).map(({ id }) => id)
  await askSubscribers(em, ids, { isLimited: false })
}

/** Counts addresses that a new team says have confirmed as if they were asked; 422 beyond its budget. */
export async function countConfirmed(context: AskContext & Pick<RequestContext, 'caller'>, added: readonly Added[]) {
  if (added.length === 0 || context.caller.kind === 'rk') return
  if (await isNewTeam(context.em, context.tenant.id)) await takeForTeam(context, added)
}

async function takeForTeam({ em, tenant, services }: AskContext, added: readonly Added[]) {
  const { platform, config } = services
  const addresses = added.map(({ address }) => address)
  const asking = { tenantId: tenant.id, askedBy: 'team', addresses } as const
  const taken = await takeQuestions({ platform, config, db: em }, asking)
  if (taken.isWithin) return taken
  const { limit, left } = taken
  throw invalid(
    {
      address: [new Sentence('At most {limit} new addresses are asked in 24 hours; {left} are left.', { limit, left })],
    },
    'too_many_recipients',
  )
}

/** Queues the question whether the subscription is wanted. `isLimited`: at most as often as `askLimits` allow. */
export async function askSubscribers(
  db: Db,
  ids: readonly string[],
  { isLimited }: { isLimited: boolean },
): Promise<void> {
  for (const some of inParts(ids)) await rows(db, ask(some, isLimited))
}
