import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { invalid } from '#control-plane/base/refusal.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import type { Endpoint } from './endpoint.ts'

export const idempotencyHeader = 'Idempotency-Key'
const shape = /^[\x21-\x7e]{1,255}$/
const keptHours = 24

/**
 * Whether an endpoint accepts idempotency keys: those that create something for an authenticated caller, in a
 * transaction.
 */
export const mayRepeat = ({ method, returns, access, detached }: Endpoint) =>
  method === 'POST' && returns.status === 201 && access !== 'public' && access !== 'scim' && !detached

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && shape.test(header)) return header
  throw invalid(
    { [idempotencyHeader]: ['Must be 1 to 255 visible ASCII characters, given once.'] },
    'bad_idempotency_key',
  )
}

/** One call with a key. The same key with another token is another call. */
export interface Claim {
  tenantId: string
  tokenId: string
  key: string
  fingerprint: string
}

export interface Call {
  method: string
  url: string
  tenantId: string
  tokenId: string
  body: unknown
}

/** Equal for equal calls, whatever the order of their JSON keys. */
export const fingerprintOf = ({ method, url, tenantId, tokenId, body }: Call) =>
  hash('sha256', JSON.stringify([method, url, tenantId, tokenId, body ?? null], sortKeys), 'hex')

const sortKeys = (_: string, value: unknown) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const purpose = 'idempotency'
const ownerOf = ({ tenantId, tokenId, fingerprint }: Claim) => `${tenantId} ${tokenId} ${fingerprint}`

/**
 * Claims the key for this transaction, or returns the stored answer to the same call. A second call waits here for the
 * transaction of the first: then the answer exists, or the key is free because the first call failed.
 */
export async function claimOrReplay(em: EntityManager, ring: Keyring, claim: Claim): Promise<string | null> {
  const { tenantId, tokenId, key, fingerprint } = claim
  for (let attempt = 0; attempt < 3; attempt++) {
    const taken = await rows(em)`insert into idempotency_keys as k (tenant_id, token_id, key, fingerprint)
     values (${tenantId}, ${tokenId}, ${key}, decode(${fingerprint}, 'hex'))
     on conflict (tenant_id, token_id, key) do update set fingerprint = excluded.fingerprint, status = null,
       answer = null, created_at = clock_timestamp()
       where k.created_at <= clock_timestamp() - ${keptHours} * interval '1 hour'
     returning 1`
    if (taken.length > 0) return null
    const [known] = await rows(em)<{ fingerprint: string; answer: string }>`
      select encode(fingerprint, 'hex') as fingerprint, answer from idempotency_keys
      where tenant_id = ${tenantId} and token_id = ${tokenId} and key = ${key}`
    if (!known) continue
    if (known.fingerprint !== fingerprint)
      throw invalid(
        { [idempotencyHeader]: ['Was used for another request within the last 24 hours.'] },
        'idempotency_key_reused',
      )
    return decryptSecret(ring, purpose, ownerOf(claim), known.answer)
  }
  throw new Error('An idempotency key could be neither taken nor read.')
}

/** Stores the answer in the same transaction, encrypted: it may contain a secret that is shown only once. */
export async function storeAnswer(
  em: EntityManager,
  ring: Keyring,
  claim: Claim,
  status: number,
  text: string,
): Promise<void> {
  // the handler may have switched to another tenant
  await actIn(em, claim.tenantId)
  const { numUpdatedRows } = await queries(em)
    .updateTable('idempotency_keys')
    .set({ status, answer: encryptSecret(ring, purpose, ownerOf(claim), text) })
    .where('tenant_id', '=', claim.tenantId)
    .where('token_id', '=', claim.tokenId)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Error('The answer could not be kept under its idempotency key.')
}

/** A statement of the hourly clean-up. */
export const forgetAnswers = sql`delete from idempotency_keys where (tenant_id, token_id, key) in
  (select tenant_id, token_id, key from idempotency_keys
    where created_at <= clock_timestamp() - interval '${sql.lit(keptHours)} hours' limit 10000)`

export const renewAnswer = renewerFor(purpose)
