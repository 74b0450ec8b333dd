import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { EnrolRequest } from '#contract/agent.ts'
import { invalid, unauthenticated } from '#control-plane/base/refusal.ts'
import { hashSecret, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { provesKey, refuseKey } from './key-proof.ts'

interface Enrolment {
  region: string | null
  agent_id: string | null
  is_open: boolean
}

/**
 * Makes an agent of a one-time token: bound to its region for good, known by its public key, which it proves to hold. Used, expired and unknown tokens are
 * refused alike. The same key may ask again with the token it has used, since an answer can get lost on its way.
 */
export async function enrolAgent(platform: Pool, asked: EnrolRequest): Promise<string> {
  const { token, region, name, public_key: key } = asked
  const wrong = refuseKey(key)
  if (wrong !== null) throw invalid({ 'public_key.x': [wrong] })
  if (!provesKey(asked)) throw invalid({ proof: ['Is no signature of the token by this key.'] })
  if (kindOfSecret(token) !== 'ag') throw unauthenticated()
  const hash = hashSecret(token)
  // a stranger's guess costs one question and no transaction
  const { rowCount } = await platform.query('select from agent_enrolments where hash = $1', [hash])
  if (rowCount === 0) throw unauthenticated()
  return inTransaction(platform, client => useToken(client, { hash, region, name, key }))
}

interface Asked {
  hash: Buffer
  region: string
  name: string
  key: { x: string }
}

async function useToken(client: PoolClient, { hash, region, name, key }: Asked): Promise<string> {
  const { rows } = await client.query<Enrolment>(
    `select region, agent_id, used_at is null and expires_at > clock_timestamp() as is_open from agent_enrolments where hash = $1 for update`,
    [hash],
  )
  const enrolment = rows[0]
  if (!enrolment) throw unauthenticated()
  if (enrolment.region !== null && enrolment.region !== region)
    throw invalid({ region: ['This token is for another region.'] }, 'wrong_region')
  if (!enrolment.is_open) return findByKey(client, enrolment, region, key)

  const id = randomUUID()
  await client.query(
    'insert into regions (name) values ($1) on conflict (name) do update set retired_at = null where regions.retired_at is not null',
    [region],
  )
  await client.query('insert into agents (id, region, name, public_key) values ($1, $2, $3, $4)', [
    id,
    region,
    name,
    JSON.stringify(key),
  ])
  await client.query(
    'update agent_enrolments set used_at = clock_timestamp(), agent_id = $2 where hash = $1 and used_at is null',
    [hash, id],
  )
  await client.query(`select pg_notify('agents', $1)`, [JSON.stringify({ agent: id })])
  return id
}

async function findByKey(
  client: PoolClient,
  enrolment: Enrolment,
  region: string,
  key: { x: string },
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from agents where id = $1 and region = $2 and public_key->>'x' = $3 and revoked_at is null`,
    [enrolment.agent_id, region, key.x],
  )
  if (!rows[0]) throw unauthenticated()
  return rows[0].id
}
