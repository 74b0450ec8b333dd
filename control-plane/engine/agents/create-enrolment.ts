import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { affected, type Db, queries, stamp } from '#control-plane/db/queries.ts'

const defaultDays = { once: 7, reusable: 365 } as const

interface Terms {
  /** For all agents of the region, which must be named, any number of times until it ends or is revoked. */
  isReusable?: boolean
  /** How long it is valid. */
  days?: number | undefined
  /** The operator who makes it by the API; null for a program on the server. */
  createdBy?: string | null
}

/**
 * A token with which one agent may enrol once, within a week, for the named region only, if one is named; or one for
 * all agents of a region. Shown once, stored as a hash.
 */
export async function createEnrolment(
  db: Db,
  region: string | null,
  { isReusable = false, days = defaultDays[isReusable ? 'reusable' : 'once'], createdBy = null }: Terms = {},
): Promise<{ id: string; plain: string; expiresAt: string }> {
  const { plain, hash } = mintSecret('ag')
  const id = randomUUID()
  const expiresAt = sql<string>`now() + ${days}::int * interval '1 day'`
  const { expires_at } = await queries(db)
    .insertInto('agent_enrolments')
    .values({ id, hash, region, is_reusable: isReusable, expires_at: expiresAt, created_by: createdBy })
    .returning(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
    .executeTakeFirstOrThrow()
  return { id, plain, expiresAt: expires_at }
}

/** Whether a token still enrols agents. */
export const isOpenEnrolmentSql = sql<boolean>`((used_at is null or is_reusable) and expires_at > clock_timestamp()
  and (created_by is null or exists (
    select 1 from users u where u.id = agent_enrolments.created_by and u.is_super_admin)))`

/** Ends every token of a region that still enrols agents; agents that enrolled with it go on. Returns how many. */
export async function revokeEnrolments(db: Pool, region: string): Promise<number> {
  const rowCount = await affected(db)`update agent_enrolments set expires_at = clock_timestamp()
    where region = ${region} and ${isOpenEnrolmentSql}`
  return rowCount
}
