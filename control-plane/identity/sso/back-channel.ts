import { hash } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { insertAuditSql, type Traces } from '#control-plane/outbox/audit.ts'
import { failureOf } from './failure.ts'
import { SsoFailure } from './outcome.ts'
import { openProvider } from './provider.ts'
import { providerFetch } from './provider-fetch.ts'

/** Where providers send logout tokens. */
export const backChannelPath = '/sso/backchannel-logout'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const algorithms = ['RS', 'PS', 'ES'].flatMap(name => [256, 384, 512].map(bits => `${name}${bits}`))
const skewS = 30
/** Older tokens are refused, so that what was taken need be kept for little longer. */
const longestAge = '24 hours'
const keptFor = '26 hours'
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^\P{Cc}+$/u)
const mostTeams = 100

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. An ID token has a nonce, and is none. */
const LogoutToken = z
  .object({
    iss: text(1_000),
    aud: z.union([text(255), z.array(text(255)).min(1).max(20)]),
    iat: z.number(),
    exp: z.number(),
    jti: text(1_000),
    sub: text(255).optional(),
    sid: text(255).optional(),
    events: z.looseObject({ [event]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)
type LogoutToken = z.output<typeof LogoutToken>

const wrong = (detail: string, cause?: unknown) => new SsoFailure('token_invalid', detail, { cause })

type TeamRow = Row<'sso_configs', 'tenant_id' | 'issuer' | 'client_id'>

/**
 * Ends the sessions that a provider names in a logout token: that of its `sid`, else all of its `sub`, in each team
 * with this provider and client. A token is taken once. Returns how many sessions ended. Throws a `SsoFailure`.
 */
export async function endByProvider(services: Services, jwt: string, traces: Traces): Promise<number> {
  const claimed = claimsIn(jwt)
  const teams = await rows(services.platform)<TeamRow>`
    select tenant_id, issuer, client_id from sso_configs
    where protocol = 'oidc' and issuer = any(${[claimed.iss, `${claimed.iss}/`, claimed.iss.replace(/\/$/, '')]})
    and client_id = any(${[claimed.aud].flat()}) order by created_at, tenant_id limit ${sql.lit(mostTeams)}`
  const [first] = teams
  if (!first) throw wrong('No team has this issuer and client.')
  await verify(services, jwt, first)
  return inTransaction(services.platform, async client => {
    let ended = 0
    let isNew = false
    for (const { tenant_id: tenantId, issuer } of teams) {
      if (!(await takeOnce(client, tenantId, claimed))) continue
      isNew = true
      const [done] = await rows(client, endSessions({ tenantId, issuer, token: claimed }, traces))
      ended += done?.count ?? 0
    }
    if (!isNew) throw wrong('This logout token was used already.')
    return ended
  })
}

/** The claims of the token, which nothing has proven yet. */
function claimsIn(jwt: string): LogoutToken {
  try {
    const { typ } = decodeProtectedHeader(jwt)
    if (typ !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) throw wrong('This is no logout token.')
    const claims = LogoutToken.safeParse(decodeJwt(jwt))
    if (claims.success) return claims.data
  } catch (error) {
    if (error instanceof SsoFailure) throw error
  }
  throw wrong('This is no logout token.')
}

async function verify({ guard, clock }: Services, jwt: string, { issuer, client_id: clientId }: TeamRow) {
  const provider = await openProvider(guard, { issuer, clientId, clientSecret: null, scopes: [] })
  const { issuer: named, jwks_uri: address } = provider.serverMetadata()
  if (address === undefined) throw wrong('The provider’s description has no jwks_uri.')
  const keys = await keysAt(guard, address)
  try {
    await jwtVerify(jwt, createLocalJWKSet(keys), {
      issuer: named,
      audience: clientId,
      algorithms: [...algorithms, 'EdDSA', 'Ed25519'],
      clockTolerance: skewS,
      maxTokenAge: longestAge,
      currentDate: clock.now(),
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) throw wrong(`The logout token is refused: ${error.message}`, error)
    throw error
  }
}

const Keys = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) })

async function keysAt(guard: Services['guard'], address: string): Promise<JSONWebKeySet> {
  try {
    const answer = await providerFetch(guard)(address, {
      method: 'GET',
      body: undefined,
      headers: {},
      redirect: 'manual',
    })
    const keys = Keys.safeParse(answer.status === 200 ? await answer.json() : null)
    if (keys.success) return keys.data
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw failureOf(error)
  }
  throw new SsoFailure('bad_answer', 'The keys of the provider are not JSON as expected.')
}

async function takeOnce(client: PoolClient, tenantId: string, { iss, jti }: LogoutToken): Promise<boolean> {
  await rows(client)`
    delete from sso_logout_tokens where (tenant_id, jti_hash) in (
    select tenant_id, jti_hash from sso_logout_tokens where expires_at < clock_timestamp()
      order by expires_at limit 100 for update skip locked)`
  const rowCount = await affected(client)`insert into sso_logout_tokens (tenant_id, jti_hash, expires_at)
    values (${tenantId}, ${hash('sha256', `${iss}\0${jti}`, 'buffer')}, clock_timestamp() + interval
    ${sql.lit(keptFor)}) on conflict do nothing`
  return rowCount === 1
}

/** A session whose name at the provider is not known ends with any of its person. */
const endSessions = (
  { tenantId, issuer, token: { sid, sub } }: { tenantId: string; issuer: string; token: LogoutToken },
  { ip, requestId }: Traces,
) => sql<{ count: number }>`
  with ended as (
    delete from tokens k where k.tenant_id = ${tenantId} and k.kind = 'ss' and (k.auth_method = 'oidc'
      or k.sso_sid is not null)
      and (${sid ?? null}::text is null or k.sso_sid = ${sid ?? null} or k.sso_sid is null
        and ${sub ?? null}::text is not null)
      and (${sub ?? null}::text is null or exists (select 1 from sso_identities i where i.tenant_id = k.tenant_id
        and i.user_id = k.user_id and i.issuer = ${issuer} and i.subject = ${sub ?? null}))
    returning id, tenant_id, user_id
  ), audited as (${insertAuditSql({
    tenant: 'ended.tenant_id',
    action: 'session.deleted',
    type: 'user',
    entity: 'ended.user_id',
    changes: sql`'{"by": "sso"}'::jsonb`,
    token: 'ended.id',
    ip: sql`${ip || null}::inet`,
    request: sql`${requestId}`,
    from: sql`from ended`,
  })})
  select count(*)::int as count from ended`
