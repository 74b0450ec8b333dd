import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { kindOfSecret, secretPattern } from '#control-plane/base/token-secret.ts'
import { forgottenColumns } from './encrypted-columns.ts'
import { at } from './template.ts'

const holdsSecret = (text: string) =>
  [...text.matchAll(new RegExp(secretPattern, 'g'))].some(([found]) => kindOfSecret(found) !== null)

/**
 * S8: whatever key was handed out in a whole run, to whomever, can be read in no table and no log, ours and the
 * stores’. A key is known by its checksum, so none has to be named. Answers how many there were and where one was
 * found, and where encrypted texts lie that a new SECRET_KEY would not reach.
 */
export async function readableSecrets(
  ownerUrl: string,
  clickhouseUrl: string | null,
  logs: string,
): Promise<{ issued: number; found: string[]; forgotten: string[] }> {
  const found = readdirSync(logs).filter(file => holdsSecret(readFileSync(join(logs, file), 'utf8')))
  let issued = 0
  const forgotten = new Set<string>()
  const databases = await connected(ownerUrl, client =>
    namesIn(client, `select datname as name from pg_database where datname like 'vedette\\_w%'`),
  )
  const search = (database: string) =>
    connected(at(ownerUrl, database), async client => {
      const { rows } = await client.query<{ n: string }>(
        'select (select count(*) from tokens) + (select count(*) from agent_enrolments) + (select count(*) from agent_tokens) as n',
      )
      issued += Number(rows[0]?.n)
      const tables = await namesIn(
        client,
        `select format('%I', relname) as name from pg_class
          where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      )
      for (const table of tables) {
        const { rows: suspicious } = await client.query<{ text: string }>(
          `select text from (select row_to_json(t)::text as text from ${table} t) r where text ~ '${secretPattern}'`,
        )
        if (suspicious.some(({ text }) => holdsSecret(text))) found.push(`${database}.${table}`)
      }
      for (const column of await forgottenColumns(client)) forgotten.add(column)
    })
  // at once: the run ends with it
  const [inClickhouse] = await Promise.all([
    clickhouseUrl ? readableInClickhouse(clickhouseUrl) : [],
    ...databases.map(search),
  ])
  return { issued, found: [...found, ...inClickhouse], forgotten: [...forgotten] }
}

async function readableInClickhouse(url: string): Promise<string[]> {
  const client = createClient({ url })
  const ask = async <Row>(query: string, query_params: Record<string, unknown> = {}) =>
    (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>()
  try {
    const tables = await ask<{ name: string }>(
      `SELECT concat(database, '.', name) AS name FROM system.tables WHERE startsWith(database, 'vedette_w') AND engine LIKE '%MergeTree'`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const suspicious = await ask<{ text: string }>(
        `SELECT text FROM (SELECT toJSONString(tuple(*)) AS text FROM ${name}) WHERE match(text, {key: String})`,
        {
          key: secretPattern,
        },
      )
      if (suspicious.some(({ text }) => holdsSecret(text))) found.push(name)
    }
    return found
  } finally {
    await client.close()
  }
}

async function connected<Found>(url: string, ask: (client: pg.Client) => Promise<Found>): Promise<Found> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

const namesIn = async (client: pg.Client, sql: string) =>
  (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)
