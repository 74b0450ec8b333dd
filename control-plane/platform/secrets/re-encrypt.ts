import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Keyring, presentPrefix } from '#control-plane/base/secrets.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type SecretStore, secretStores } from './stores.ts'

type ReencryptDeps = Pick<Services, 'platform' | 'log' | 'config' | 'metrics'>

const batch = 100
/** A pause between two batches for other statements. */
const pauseMs = 20

interface Row {
  place: string[]
  tenant: string | null
  owner: string
  old: string
}

/** The outcome of a pass. */
export interface Pass {
  renewed: number
  /** Still under an earlier key, as their rows were locked or changed meanwhile: left to the next pass. */
  left: number
  /** Of these, those that no key opens. */
  unreadable: number
}

interface Options {
  isStopped?: () => boolean
  /** Called between reading a batch and writing it. For tests. */
  between?: () => Promise<void>
}

/**
 * Re-encrypts every stored secret under the present key, in batches. Rows are locked only while they are written. A row
 * that is locked already is left for later, and one that was changed since it was read stays as it is.
 */
export async function reencrypt(
  deps: ReencryptDeps,
  { isStopped = () => false, between }: Options = {},
): Promise<Pass> {
  const { platform, log, config, metrics } = deps
  const bad: BadRow[] = []
  let renewed = 0
  for (const store of secretStores) {
    for (let after: string[] | null = null; !isStopped(); ) {
      const rows = await readBatch(platform, store, config, after)
      after = rows.at(-1)?.place ?? null
      if (after === null) break
      const changes: { place: string[]; old: string; new: string }[] = []
      const renew = ({ place, owner, old }: Row) => changes.push({ place, old, new: store.renew(config, owner, old) })
      await eachIsolated(rows, renew, ({ place, tenant }, error) => {
        bad.push({ key: `${store.table} ${place.join(' ')}`.slice(0, 200), tenant, error })
      })
      await between?.()
      if (changes.length > 0) renewed += await writeBatch(platform, store, changes)
      if (rows.length < batch) break
      await sleep(pauseMs)
    }
  }
  if (!isStopped()) await new Quarantine(deps).replace('stored_secret', bad)
  const counts = await countUnderOldKey(platform, config)
  for (const [table, n] of counts) metrics.secretsUnderOldKey.set({ table }, n)
  const left = [...counts.values()].reduce((sum, n) => sum + n, 0)
  if (renewed + left > 0)
    log.info({ renewed, left, unreadable: bad.length, tables: Object.fromEntries(counts) }, 'secrets re-encrypted')
  return { renewed, left, unreadable: bad.length }
}

/** By table, how many secrets are not under the present key. */
export async function countUnderOldKey(platform: Pick<Pool, 'query'>, ring: Keyring): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, isOld } of secretStores) {
    const { rows } = await platform.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${isOld('$1')}`,
      [presentPrefix(ring)],
    )
    counts.set(table, (counts.get(table) ?? 0) + (rows[0]?.n ?? 0))
  }
  return counts
}

async function readBatch(platform: Pool, store: SecretStore, ring: Keyring, after: string[] | null): Promise<Row[]> {
  const { table, key, tenant, owner, column, isOld } = store
  const names = key.map(({ name }) => name).join(', ')
  const places = key.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')
  const { rows } = await platform.query<Row>(
    `select array[${key.map(({ name }) => `${name}::text`).join(', ')}] as place, ${tenant} as tenant,
       ${owner} as owner, ${column}::text as old
     from ${table} where ${isOld('$1')} ${after ? `and (${names}) > (${places})` : ''} order by ${names}
     limit ${batch}`,
    [presentPrefix(ring), ...(after ?? [])],
  )
  return rows
}

async function writeBatch(
  platform: Pool,
  store: SecretStore,
  changes: readonly { place: string[]; old: string; new: string }[],
): Promise<number> {
  const { table, key, column, type } = store
  const isSame = key.map(({ name, type: of }, index) => `t.${name} = (r.place ->> ${index})::${of}`).join(' and ')
  const isPicked = key.map(({ name }) => `t.${name} = p.${name}`).join(' and ')
  const rowCount = await affected(
    platform,
    sql`with picked as materialized (
        select ${sql.raw(key.map(({ name }) => `t.${name}`).join(', '))}, r.new
        from json_to_recordset(${JSON.stringify(changes)}::json) as r(place jsonb, old text, new text)
        join ${sql.raw(table)} t on ${sql.raw(isSame)} and t.${sql.raw(column)} = r.old::${sql.raw(type)}
        for update of t skip locked
      )
      update ${sql.raw(table)} t set ${sql.raw(column)} = p.new::${sql.raw(type)} from picked p
      where ${sql.raw(isPicked)}`,
  )
  return rowCount
}
