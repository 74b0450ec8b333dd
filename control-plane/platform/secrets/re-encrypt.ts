import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Keyring, presentPrefix } from '#control-plane/base/secrets.ts'
import { affected, columnOf, countRows, rows } from '#control-plane/db/queries.ts'
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
      const found: Row[] = await readBatch(platform, store, config, after)
      after = found.at(-1)?.place ?? null
      if (after === null) break
      const changes: { place: string[]; old: string; new: string }[] = []
      const renew = ({ place, owner, old }: Row) => changes.push({ place, old, new: store.renew(config, owner, old) })
      await eachIsolated(found, renew, ({ place, tenant }, error) => {
        bad.push({ key: `${store.table} ${place.join(' ')}`.slice(0, 200), tenant, error })
      })
      await between?.()
      if (changes.length > 0) renewed += await writeBatch(platform, store, changes)
      if (found.length < batch) break
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
export async function countUnderOldKey(platform: Pool, ring: Keyring): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, isOld } of secretStores) {
    const found = await countRows(platform)`from ${sql.table(table)} where ${isOld(presentPrefix(ring))}`
    counts.set(table, (counts.get(table) ?? 0) + found)
  }
  return counts
}

function readBatch(platform: Pool, store: SecretStore, ring: Keyring, after: string[] | null): Promise<Row[]> {
  const { table, key, tenant, owner, column, isOld } = store
  const columns = key.map(({ name }) => sql.ref(name))
  const names = sql.join(columns)
  const place = sql.join(columns.map(name => sql`${name}::text`))
  const isAfter =
    after && sql`and (${names}) > (${sql.join(key.map(({ type }, nth) => sql`${after[nth]}::${types[type]}`))})`
  return rows(platform)<Row>`
    select array[${place}] as place, ${columnOf(tenant)} as tenant, ${columnOf(owner)} as owner,
      ${sql.ref(column)}::text as old
    from ${sql.table(table)} where ${isOld(presentPrefix(ring))} ${isAfter ?? sql``} order by ${names}
    limit ${sql.lit(batch)}`
}

const types = { uuid: sql`uuid`, bigint: sql`bigint`, int: sql`int`, text: sql`text`, jsonb: sql`jsonb` }

async function writeBatch(
  platform: Pool,
  store: SecretStore,
  changes: readonly { place: string[]; old: string; new: string }[],
): Promise<number> {
  const { key, type } = store
  const [table, column, as] = [sql.table(store.table), sql.ref(store.column), types[type]]
  const and = sql` and `
  const isSame = key.map(
    ({ name, type: of }, nth) => sql`${sql.ref(`t.${name}`)} = (r.place ->> ${sql.lit(nth)})::${types[of]}`,
  )
  const isPicked = key.map(({ name }) => sql`${sql.ref(`t.${name}`)} = ${sql.ref(`p.${name}`)}`)
  return affected(platform)`with picked as materialized (
      select ${sql.join(key.map(({ name }) => sql.ref(`t.${name}`)))}, r.new
      from json_to_recordset(${JSON.stringify(changes)}::json) as r(place jsonb, old text, new text)
      join ${table} t on ${sql.join(isSame, and)} and t.${column} = r.old::${as}
      for update of t skip locked
    )
    update ${table} t set ${column} = p.new::${as} from picked p
    where ${sql.join(isPicked, and)}`
}
