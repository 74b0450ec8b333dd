import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { aliasHash, aliasKey, type PingAlias } from '#contract/ping-alias.ts'
import { Batch } from '#control-plane/base/batch.ts'
import { type Db, json, prepared, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'

interface Wanted {
  monitor_id: string
  alias: PingAlias
}

const columnsOf = (aliases: readonly PingAlias[]): [kinds: string[], hashes: string[]] => [
  aliases.map(({ kind }) => kind),
  aliases.map(alias => aliasHash(alias).toString('hex')),
]

/**
 * Lets addresses at another provider lead to heartbeats of the tenant, in place of the ones that the same heartbeats
 * had there before. Returns the addresses that lead to them now, each as `monitor kind`. One that leads to another
 * heartbeat, of whichever tenant, stays where it is: the first import has it, as only its owner knows the secret.
 */
export async function claimAliases(
  em: EntityManager,
  tenant: { id: string },
  wanted: readonly Wanted[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const given = json(
    wanted.map(({ monitor_id, alias }) => ({
      monitor_id,
      kind: alias.kind,
      hash: aliasHash(alias).toString('hex'),
    })),
  )
  const addresses = sql`jsonb_to_recordset(${given}) as w(monitor_id uuid, kind text, hash text)`
  await rows(em)`delete from ping_aliases a using ${addresses}, heartbeats h
    where h.monitor_id = w.monitor_id and h.tenant_id = ${tenant.id} and a.check_id = h.check_id and a.kind = w.kind
      and a.token_hash <> decode(w.hash, 'hex')`
  await rows(em)`insert into ping_aliases (kind, token_hash, tenant_id, check_id)
    select w.kind, decode(w.hash, 'hex'), h.tenant_id, h.check_id
    from ${addresses} join heartbeats h on h.monitor_id = w.monitor_id and h.tenant_id = ${tenant.id}
    order by w.kind, w.hash
    on conflict do nothing`
  const claimed = await rows(em)<Row<'heartbeats', 'monitor_id'> & Row<'ping_aliases', 'kind'>>`
    select h.monitor_id, a.kind from ping_aliases a join heartbeats h on h.check_id = a.check_id
    join ${addresses} on w.monitor_id = h.monitor_id and w.kind = a.kind and decode(w.hash, 'hex') = a.token_hash
    where a.tenant_id = ${tenant.id}`
  return new Set(claimed.map(({ monitor_id, kind }) => `${monitor_id} ${kind}`))
}

/** Of these addresses those that lead to a heartbeat of any tenant, by `aliasKey`, each with its monitor. */
export async function takenAliases(
  db: Db,
  aliases: readonly PingAlias[],
): Promise<Map<string, { monitor_id: string; tenant_id: string }>> {
  const [kinds, hashes] = columnsOf(aliases)
  const taken = await rows(db)<Row<'heartbeats', 'monitor_id'> & Row<'ping_aliases', 'tenant_id'> & { place: number }>`
    select w.place::int, h.monitor_id, a.tenant_id
    from unnest(${kinds}::text[], ${hashes}::text[]) with ordinality as w(kind, hash, place)
    join ping_aliases a on a.kind = w.kind and a.token_hash = decode(w.hash, 'hex')
    join heartbeats h on h.check_id = a.check_id`
  return new Map(taken.map(({ place, ...of }) => [aliasKey(aliases[place - 1]!), of]))
}

/** Lets no address at another provider lead to this heartbeat any more. */
export const deleteAliases = (em: EntityManager, tenant: { id: string }, checkId: string): Promise<unknown> =>
  queries(em).deleteFrom('ping_aliases').where('tenant_id', '=', tenant.id).where('check_id', '=', checkId).execute()

const find = prepared(
  'find-ping-aliases',
  (kinds: readonly string[], hashes: readonly string[]) => sql<{ place: number; address: string }>`
  select w.place::int, p.id as address
  from unnest(${kinds}::text[], ${hashes}::text[]) with ordinality as w(kind, hash, place)
  join ping_aliases a on a.kind = w.kind and a.token_hash = decode(w.hash, 'hex')
  join ping_addresses p on p.check_id = a.check_id and p.ends_at is null`,
)

/** Finds the ping addresses of many aliases at once; null: there is none. */
class AliasLookup {
  readonly #batch: Batch<PingAlias, string | null>

  constructor({ platform }: Pick<Services, 'platform'>) {
    this.#batch = new Batch<PingAlias, string | null>(
      async aliases => {
        const found: (string | null)[] = aliases.map(() => null)
        const known = await rows(platform, find(...columnsOf(aliases)))
        for (const { place, address } of known) found[place - 1] = address
        return found
      },
      { largest: 500, everyMs: 2 },
    )
  }

  /** The present ping address of the heartbeat that an address at another provider leads to. */
  readonly find = (alias: PingAlias): Promise<string | null> => this.#batch.add(alias)
}

/** This process's lookup. */
export const aliasLookupOf = perServices(services => new AliasLookup(services))
