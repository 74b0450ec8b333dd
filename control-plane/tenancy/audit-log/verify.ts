import { type RawBuilder, sql } from 'kysely'
import { type Db, queries, type Row, rows } from '#control-plane/db/queries.ts'

/** The end of a trail at some moment. Kept elsewhere, it proves that a trail was cut and its end rewritten. */
export type Head = Row<'audit_heads', 'tenant_id'> & { seq: number; hash: string }

/**
 * `edited`: an entry or its link differs from what was chained; `deleted`: an entry is missing; `gap`: links are
 * missing; `added`: an entry was never chained; `cut`: the trail ends before its head; `rewritten`: the trail differs
 * from the one whose head was kept.
 */
export type Fault = Row<'audit_links', 'tenant_id'> & {
  seq: number | null
  entry_id: Row<'audit_links'>['entry_id'] | null
  kind: 'edited' | 'deleted' | 'gap' | 'added' | 'cut' | 'rewritten'
}

export interface Verified {
  trails: number
  links: number
  faults: Fault[]
}

/** A removed value needs a redaction in the chain; a present value must match its mark. */
const isOff = (value: RawBuilder<unknown>, mark: RawBuilder<unknown>, salt: RawBuilder<unknown>) => sql`(case
  when ${value} is null then ${mark} is not null and (${salt} is not null or not exists (
    select 1 from audit_links r where r.entry_id = l.entry_id and r.tenant_id = l.tenant_id and r.is_redaction))
  else ${mark} is null or ${salt} is null or audit_mark(${salt}, ${value}) <> ${mark} end)`

const faultyLinks = (tenantId: string | null) => sql<Fault>`
  select tenant_id, seq::int8::float8 as seq, entry_id, kind from (
    select l.tenant_id, l.seq, l.entry_id, case
      when l.seq <> l.prev_seq + 1 then 'gap'
      when not l.is_redaction and e.id is null then 'deleted'
      when l.hash <> audit_link_hash(l.prev, l.link, e) then 'edited'
      when not l.is_redaction and (${isOff(sql`e.ip::text`, sql`l.ip_mark`, sql`l.ip_salt`)}
        or ${isOff(sql`e.request_id`, sql`l.request_mark`, sql`l.request_salt`)}
        or ${isOff(sql`e.changes::text`, sql`l.changes_mark`, sql`l.changes_salt`)}) then 'edited' end as kind
    from (
      select k.*, k as link, lag(k.hash, 1, ''::bytea) over w as prev, lag(k.seq, 1, 0::bigint) over w as prev_seq
      from audit_links k where ${tenantId}::uuid is null or k.tenant_id = ${tenantId}
      window w as (partition by k.tenant_id order by k.seq)
    ) l left join audit_entries e on e.id = l.entry_id
  ) found where kind is not null
  union all
  select e.tenant_id, null, e.id, 'added' from audit_entries e
  where (${tenantId}::uuid is null or e.tenant_id = ${tenantId})
    and not exists (select 1 from audit_links k where k.entry_id = e.id and not k.is_redaction)
  union all
  select coalesce(h.tenant_id, k.tenant_id), h.seq::float8, null, 'cut'
  from (select * from audit_heads where ${tenantId}::uuid is null or tenant_id = ${tenantId}) h
  full join (
    select distinct on (tenant_id) * from audit_links where ${tenantId}::uuid is null or tenant_id = ${tenantId}
    order by tenant_id, seq desc
  ) k on k.tenant_id = h.tenant_id
  where h.hash is distinct from coalesce(k.hash, '')`

/** Verifies the trails of one tenant or of all from their first link, and returns every fault. */
export async function verifyTrails(
  platform: Db,
  { tenantId, heads = [] }: { tenantId?: string; heads?: readonly Head[] } = {},
): Promise<Verified> {
  const links = queries(platform).selectFrom('audit_links')
  const counted = await (tenantId === undefined ? links : links.where('tenant_id', '=', tenantId))
    .select(({ ref }) => [
      sql<number>`count(distinct ${ref('tenant_id')})::int`.as('trails'),
      sql<number>`count(*)::float8`.as('links'),
    ])
    .executeTakeFirstOrThrow()
  const found = await rows(platform, faultyLinks(tenantId ?? null))
  const rewritten =
    heads.length > 0
      ? await rows(platform)<Fault>`
        select h.tenant_id, h.seq::float8 as seq, null as entry_id, 'rewritten' as kind
        from json_to_recordset(${JSON.stringify(heads)}::json) as h(tenant_id uuid, seq bigint, hash text)
        join tenants t on t.id = h.tenant_id
        left join audit_links k on k.tenant_id = h.tenant_id and k.seq = h.seq
        where encode(k.hash, 'hex') is distinct from h.hash`
      : []
  return { ...counted, faults: [...found, ...rewritten] }
}

/** The heads of trails that have grown since, and the number of all links, which only a purge reduces. */
export async function readHeads(platform: Db, since: Date): Promise<{ heads: Head[]; links: number }> {
  const heads = queries(platform).selectFrom('audit_heads')
  const grown = await heads
    .where('changed_at', '>=', since.toISOString())
    .where('seq', '>', '0')
    .orderBy('tenant_id')
    .select('tenant_id')
    .select(({ ref }) => [
      sql<number>`${ref('seq')}::float8`.as('seq'),
      sql<string>`encode(${ref('hash')}, 'hex')`.as('hash'),
    ])
    .execute()
  const { links } = await heads
    .select(({ ref }) => sql<number>`coalesce(sum(${ref('seq')}), 0)::float8`.as('links'))
    .executeTakeFirstOrThrow()
  return { heads: grown, links }
}
