import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { EnrolRequest } from '#contract/agent.ts'
import { invalid, unauthenticated } from '#control-plane/base/refusal.ts'
import { hashSecret, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { json, queries, type Row } from '#control-plane/db/queries.ts'
import { provesKey, refuseKey } from './key-proof.ts'

/**
 * Enrols an agent with a one-time token: bound to its region for good, identified by its public key, of which it
 * proves to have the private part. Used, expired and unknown tokens are refused alike. The same key may repeat the
 * request with the token it has used, since a response can get lost.
 */
export async function enrolAgent(platform: Pool, request: EnrolRequest): Promise<string> {
  const { token, region, name, public_key: key } = request
  const wrong = refuseKey(key)
  if (wrong !== null) throw invalid({ 'public_key.x': [wrong] })
  if (!provesKey(request)) throw invalid({ proof: ['Is no signature of the token by this key.'] })
  if (kindOfSecret(token) !== 'ag') throw unauthenticated()
  const hash = hashSecret(token)
  // a guessed token costs one query and no transaction
  const known = await queries(platform)
    .selectFrom('agent_enrolments')
    .where('hash', '=', hash)
    .select('id')
    .executeTakeFirst()
  if (!known) throw unauthenticated()
  return inTransaction(platform, client => useToken(client, { hash, region, name, key }))
}

interface Enrolment {
  hash: Buffer
  region: string
  name: string
  key: { x: string }
}

async function useToken(client: PoolClient, { hash, region, name, key }: Enrolment): Promise<string> {
  const db = queries(client)
  const enrolment = await db
    .selectFrom('agent_enrolments')
    .where('hash', '=', hash)
    .select(({ ref }) => [
      'region',
      'agent_id',
      sql<boolean>`${ref('used_at')} is null and ${ref('expires_at')} > clock_timestamp()`.as('is_open'),
    ])
    .forUpdate()
    .executeTakeFirst()
  if (!enrolment) throw unauthenticated()
  if (enrolment.region !== null && enrolment.region !== region)
    throw invalid({ region: ['This token is for another region.'] }, 'wrong_region')
  if (!enrolment.is_open) return findByKey(client, enrolment.agent_id, region, key)

  const id = randomUUID()
  await db
    .insertInto('regions')
    .values({ name: region })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ retired_at: null }).where('regions.retired_at', 'is not', null),
    )
    .execute()
  await db
    .insertInto('agents')
    .values({ id, region, name, public_key: json(key) })
    .execute()
  await db
    .updateTable('agent_enrolments')
    .set({ used_at: sql<string>`clock_timestamp()`, agent_id: id })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .execute()
  await client.query(`select pg_notify('agents', $1)`, [JSON.stringify({ agent: id })])
  return id
}

async function findByKey(
  client: PoolClient,
  id: Row<'agent_enrolments', 'agent_id'>['agent_id'],
  region: string,
  key: { x: string },
): Promise<string> {
  const agent = await queries(client)
    .selectFrom('agents')
    .where('id', '=', id)
    .where('region', '=', region)
    .where(({ ref }) => sql`${ref('public_key')} ->> 'x'`, '=', key.x)
    .where('revoked_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (!agent) throw unauthenticated()
  return agent.id
}
