import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Limits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { addressHashes } from '#control-plane/base/address-hash.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { advisoryLock, countRows, type Db, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { limitsNow } from './limits.ts'

/** Questions to one address: of one team in a week, and of all teams in a day. */
export const addressLimits = { aWeek: 3, aDay: 10 }
/** So long a team is new: what it adds as confirmed counts as asked. */
export const newTeamDays = 7

type AskedBy = 'team' | 'visitor'

/**
 * How many addresses that asked for nothing get a message in a day: at the wish of a team a tenth of the subscribers of
 * its plan, at that of visitors of its pages as many as those. null: unlimited.
 */
export function questionsADay({ subscribers }: Pick<Limits, 'subscribers'>, askedBy: AskedBy): number | null {
  if (subscribers === null) return null
  return askedBy === 'team' ? Math.max(100, Math.ceil(subscribers / 10)) : Math.max(1_000, subscribers)
}

const ofAddresses = (hashes: readonly Buffer[], tenantId: string, places: readonly number[]) =>
  sql<Record<'place' | 'a_day' | 'a_week', number>>`
  select h.place::int as place,
    count(*) filter (where q.asked_at > clock_timestamp() - interval '1 day')::int as a_day,
    count(*) filter (where q.tenant_id = ${tenantId})::int as a_week
  from unnest(${hashes}::bytea[], ${places}::int[]) as h(hash, place)
  join mail_questions q on q.address_hash = h.hash and q.asked_at > clock_timestamp() - interval '7 days'
  group by h.place`

export const askedToday = (db: Db, tenantId: string, askedBy: AskedBy): Promise<number> =>
  countRows(db)`from mail_questions
    where tenant_id = ${tenantId} and asked_by = ${askedBy} and asked_at > clock_timestamp() - interval '1 day'`

interface Asking {
  tenantId: string
  askedBy: AskedBy
  addresses: readonly string[]
}

/** `mayAsk`: the addresses that may be asked now; the others were asked too often. */
export type Taken = { isWithin: true; mayAsk: ReadonlySet<string> } | { isWithin: false; limit: number; left: number }

/**
 * Counts questions to addresses, all or none of them. The team's budget of the last 24 hours is locked until the
 * transaction of `db` ends; the addresses are counted over all teams, by `platform`.
 */
export async function takeQuestions(
  { platform, config, db }: { platform: Pool; config: Keyring; db: Db },
  { tenantId, askedBy, addresses }: Asking,
): Promise<Taken> {
  await advisoryLock(db, `mail_questions:${tenantId}`)
  const limit = questionsADay(await limitsNow(db, tenantId), askedBy)
  if (limit !== null) {
    const left = Math.max(0, limit - (await askedToday(db, tenantId, askedBy)))
    if (addresses.length > left) return { isWithin: false, limit, left }
  }
  const hashes = await inSlices(hashesOf(config, addresses))
  const found = await rows(
    platform,
    ofAddresses(
      hashes.flat(),
      tenantId,
      hashes.flatMap((ofOne, place) => ofOne.map(() => place)),
    ),
  )
  const often = new Set(
    found
      .filter(({ a_day, a_week }) => a_day >= addressLimits.aDay || a_week >= addressLimits.aWeek)
      .map(({ place }) => place),
  )
  const asked = addresses.filter((_, place) => !often.has(place))
  const counted = hashes.flatMap(([own], place) => (own && !often.has(place) ? [own] : []))
  await rows(db)`insert into mail_questions (tenant_id, address_hash, asked_by)
   select ${tenantId}::uuid, hash, ${askedBy} from unnest(${counted}::bytea[]) hash`
  return { isWithin: true, mayAsk: new Set(asked) }
}

/** Under the present key first. Each takes some microseconds, and there may be thousands. */
function* hashesOf(keys: Keyring, addresses: readonly string[]): Generator<undefined, Buffer[][]> {
  const hashes: Buffer[][] = []
  for (const address of addresses) {
    hashes.push(addressHashes(keys, address))
    yield
  }
  return hashes
}

/** Counts a question to one address that a person of the team names; 422 on `field` beyond a limit. */
export async function takeQuestion(
  { em, tenant, services }: Pick<RequestContext, 'em' | 'services'> & { tenant: { id: string } },
  address: string,
  field: string,
): Promise<void> {
  const { platform, config } = services
  const asking = { tenantId: tenant.id, askedBy: 'team', addresses: [address] } as const
  const taken = await takeQuestions({ platform, config, db: em }, asking)
  if (!taken.isWithin)
    throw invalid(
      { [field]: [new Sentence('At most {n} new addresses of a team get mail in 24 hours.', { n: taken.limit })] },
      'too_many_recipients',
    )
  if (taken.mayAsk.size === 0)
    throw invalid({ [field]: ['Too many mails were sent to this address lately.'] }, 'sent_too_often')
}

/** Whether a team was made within the last days, so that it has to ask addresses as often as not. */
export async function isNewTeam(db: Db, tenantId: string): Promise<boolean> {
  const [row] = await rows(db)<{ is_new: boolean }>`
    select created_at > clock_timestamp() - ${newTeamDays} * interval '1 day' as is_new
    from tenants where id = ${tenantId}`
  return row?.is_new ?? true
}
