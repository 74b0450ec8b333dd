import { sql } from 'kysely'
import pg from 'pg'
import { countRows, type Row, rows } from '#control-plane/db/queries.ts'
import { countUnderOldKey } from '#control-plane/platform/secrets/re-encrypt.ts'

export interface Finding {
  title: string
  /** `optional`: something that only some kinds of checks need, and that is not here. */
  state: 'good' | 'bad' | 'optional'
  words: string
}

export const either = (isGood: boolean): Finding['state'] => (isGood ? 'good' : 'bad')

const shown = 10

/** Findings about quarantined rows, dead events and the keys of stored secrets. */
export async function rowFindings({ DATABASE_PLATFORM_URL, SECRET_KEY }: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!DATABASE_PLATFORM_URL) return []
  const platform = new pg.Pool({ connectionString: DATABASE_PLATFORM_URL, max: 1, connectionTimeoutMillis: 4_000 })
  platform.on('error', () => undefined)
  try {
    const findings = [await quarantined(platform), await deadEvents(platform)]
    return SECRET_KEY ? [...findings, await underOldKey(platform, SECRET_KEY)] : findings
  } catch (error) {
    return [{ title: 'Rows', state: 'bad', words: `cannot be read: ${error instanceof Error ? error.message : error}` }]
  } finally {
    await platform.end()
  }
}

async function quarantined(platform: pg.Pool): Promise<Finding> {
  const found = await rows(platform)<Row<'quarantined_rows', 'kind' | 'key' | 'reason'> & { n: number }>`
      select kind, key, reason, count(*) over ()::int as n from quarantined_rows
      order by since, id limit ${sql.lit(shown)}`
  const [first] = found
  if (!first) return { title: 'Quarantine', state: 'good', words: 'no row is put off' }
  const more = first.n > found.length ? [`and ${first.n - found.length} more: GET /api/v1/platform/quarantine`] : []
  const lines = [
    `${first.n} rows are put off`,
    ...found.map(({ kind, key, reason }) => `${kind} ${key}: ${reason}`),
    ...more,
  ]
  return { title: 'Quarantine', state: 'bad', words: lines.join(`\n${' '.repeat(25)}`) }
}

async function deadEvents(platform: pg.Pool): Promise<Finding> {
  const n = await countRows(platform)`from outbox where dead_at is not null`
  const words = n === 0 ? 'no event was given up' : `${n} events were given up: GET /api/v1/platform/dead-events`
  return { title: 'Dead events', state: either(n === 0), words }
}

async function underOldKey(platform: pg.Pool, secretKey: string): Promise<Finding> {
  const counts = [...(await countUnderOldKey(platform, { secretKey }))].filter(([, n]) => n > 0)
  if (counts.length === 0)
    return { title: 'Secret keys', state: 'good', words: 'every stored secret is under the present key' }
  const where = counts.map(([table, n]) => `${n} in ${table}`).join(', ')
  return {
    title: 'Secret keys',
    state: 'bad',
    words: `under an earlier key: ${where}. Keep SECRET_KEY_PREVIOUS until there are none`,
  }
}
