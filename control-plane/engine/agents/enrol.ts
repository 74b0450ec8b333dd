import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { EnrolRequest } from '#contract/agent.ts'
import { invalid, unauthenticated } from '#control-plane/base/refusal.ts'
import { hashSecret, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { json, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { isOpenEnrolmentSql } from './create-enrolment.ts'
import { provesKey, refuseKey } from './key-proof.ts'

/**
 * Enrols an agent with a token: bound to its region for good, identified by its public key, of which it proves to have
 * the private part. Used, expired and unknown tokens are refused alike. The same key may repeat the request with the
 * token it has used, since a response can get lost. With a reusable token an agent that lost its key enrols again: the
 * silent one of its name is revoked.
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

/** How long an agent does not report before another one of its name takes its place. */
const silentS = 30

async function useToken(client: PoolClient, { hash, region, name, key }: Enrolment): Promise<string> {
  const db = queries(client)
  const enrolment = await db
    .selectFrom('agent_enrolments')
    .where('hash', '=', hash)
    .select(['id', 'region', 'agent_id', 'is_reusable', isOpenEnrolmentSql.as('is_open')])
    .forUpdate()
    .executeTakeFirst()
  if (!enrolment) throw unauthenticated()
  if (enrolment.region !== null && enrolment.region !== region)
    throw invalid({ region: ['This token is for another region.'] }, 'wrong_region')
  const known = await findByKey(client, enrolment, region, key)
  if (known !== undefined) return known
  if (!enrolment.is_open) throw unauthenticated()

  const id = randomUUID()
  await db
    .insertInto('regions')
    .values({ name: region })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ retired_at: null }).where('regions.retired_at', 'is not', null),
    )
    .execute()
  if (enrolment.is_reusable) await revokeSilent(client, enrolment.id, name)
  await db
    .insertInto('agents')
    .values({ id, region, name, public_key: json(key), enrolment_id: enrolment.id })
    .execute()
  await db
    .updateTable('agent_enrolments')
    .set({ used_at: sql<string>`clock_timestamp()`, agent_id: id })
    .where('id', '=', enrolment.id)
    .execute()
  await rows(client)`select pg_notify('agents', ${JSON.stringify({ agent: id })})`
  return id
}

/** One that still reports is another machine with the same name: it stays. */
const revokeSilent = (client: PoolClient, enrolment: string, name: string) =>
  rows(client)`update agents set revoked_at = clock_timestamp()
    where enrolment_id = ${enrolment} and name = ${name} and revoked_at is null
      and coalesce(last_seen_at, enrolled_at) < clock_timestamp() - interval '${sql.lit(silentS)} seconds'`

type Used = Pick<Row<'agent_enrolments', 'id' | 'agent_id'>, 'id' | 'agent_id'>

/** The agent of this key that enrolled with the token before. */
async function findByKey(
  client: PoolClient,
  { id, agent_id }: Used,
  region: string,
  key: { x: string },
): Promise<string | undefined> {
  const agent = await queries(client)
    .selectFrom('agents')
    .where(({ eb, or }) => or([eb('enrolment_id', '=', id), eb('id', '=', agent_id)]))
    .where('region', '=', region)
    .where(({ ref }) => sql`${ref('public_key')} ->> 'x'`, '=', key.x)
    .where('revoked_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return agent?.id
}
