import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { kindOfSecret } from '#control-plane/people/tokens/secret.ts'

const shape = '(ss|rk|ik|svc|sk|ag|am)-[A-Za-z0-9_-]{43}[0-9a-z]{7}'

const secretsIn = (text: string) => [...text.matchAll(new RegExp(shape, 'g'))].filter(([found]) => kindOfSecret(found) !== null)

/**
 * S8: whatever key was handed out in a whole run, to whomever, can be read in no table and no log of the stores. A key is known by its
 * checksum, so none has to be named. Answers how many there were and where one was found.
 */
export async function readableSecrets(ownerUrl: string, logs: string): Promise<{ issued: number; found: string[] }> {
  const found = readdirSync(logs).filter(file => secretsIn(readFileSync(join(logs, file), 'utf8')).length > 0)
  let issued = 0
  for (const database of await namesOf(ownerUrl, `select datname as name from pg_database where datname like 'vedette\\_w%'`)) {
    const url = Object.assign(new URL(ownerUrl), { pathname: `/${database}` }).toString()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    issued += Number(
      (await client.query('select (select count(*) from tokens) + (select count(*) from agent_enrolments) + (select count(*) from agent_tokens) as n')).rows[0]
        .n,
    )
    for (const table of await namesOf(
      url,
      `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )) {
      const { rows } = await client.query<{ text: string }>(`select text from (select row_to_json(t)::text as text from ${table} t) r where text ~ '${shape}'`)
      if (rows.some(({ text }) => secretsIn(text).length > 0)) found.push(`${database}.${table}`)
    }
    await client.end()
  }
  return { issued, found }
}

async function namesOf(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(sql)
  await client.end()
  return rows.map(({ name }) => name)
}
