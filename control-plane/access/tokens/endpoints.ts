import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { type Access, type Endpoint, endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { created, noContent, offsetPage, ok } from '#control-plane/http/reply.ts'
import { createToken } from './create.ts'
import { GeneralTokenChanges, Rotation } from './input.ts'
import { endOfNew } from './pass-on.ts'
import { RotatedFrom, rotateToken } from './rotate.ts'
import { changeToken, deleteToken, findToken, type Holder, listTokens, type TokenRow } from './row.ts'

interface NewToken {
  name: string
  scopes: string[]
  expires_at?: Date | null | undefined
  allowed_ips?: string[] | null
}

/** What the API's document says of an endpoint. */
type Said = Pick<Endpoint, 'summary' | 'description'>

/** The tokens of one kind of holder: what their endpoints have of their own. */
export interface TokenFamily {
  path: '/api-keys' | '/api-tokens' | '/reseller/tokens'
  /** What the audit log calls one. */
  noun: 'api_key' | 'api_token' | 'reseller_token'
  reading: Access
  writing: Access
  /** Of every endpoint. */
  all?: Pick<Endpoint, 'underImpersonation'>
  /** Of the endpoints that make, enable or rename a token. */
  making?: Pick<Endpoint, 'needsOwnSession'>
  says: Record<'list' | 'get' | 'create' | 'rotate' | 'delete', Said>
  body: z.ZodType<NewToken>
  view: z.ZodType
  viewAll(context: RequestContext, rows: readonly TokenRow[]): Promise<unknown[]> | unknown[]
  /** Throws for a caller who may not have these tokens at all. */
  holderOf(context: RequestContext): Holder
  /** The person that a new token acts for, and the one who made it. */
  peopleOf(context: RequestContext): { userId: string | null; createdBy: string | null }
  /** All scopes that such a token may have. */
  scopes: readonly string[]
  /** Throws for a caller who may not pass these scopes on. */
  refuse(caller: Caller, scopes: readonly string[]): void
  /** Whether to delete a token also needs its scopes. */
  refusesDeletion?: boolean
  /** Throws where the plan has no place for one more. */
  beforeNew?(context: RequestContext): Promise<unknown>
  notify?(context: RequestContext, type: 'security_api_token_created' | 'security_api_token_revoked'): void
}

const entity = (id: string) => ({ type: 'personal_access_token' as const, id })

const scopesOf = ({ scopes }: TokenFamily, row: TokenRow) => scopes.filter(scope => row.scopes.includes(scope))

async function viewOf(family: TokenFamily, context: RequestContext, id: string): Promise<unknown> {
  const row = await findToken(context.em, family.holderOf(context), id)
  return (await family.viewAll(context, [row]))[0]
}

/** Creates a token and returns its secret, which is stored nowhere. */
export async function makeToken(family: TokenFamily, context: RequestContext, body: NewToken) {
  const { em, now, caller, audit } = context
  const { name, scopes, allowed_ips } = body
  const expiresAt = endOfNew(caller, body.expires_at, now)
  await family.beforeNew?.(context)
  const { kind, tenantId } = family.holderOf(context)
  const token = {
    kind,
    tenantId,
    ...family.peopleOf(context),
    name,
    scopes,
    allowedIps: allowed_ips ?? null,
    expiresAt,
  }
  const { id, plain } = await createToken(em, token, now)
  family.notify?.(context, 'security_api_token_created')
  audit(`${family.noun}.created`, entity(id), {
    name,
    scopes,
    ...(allowed_ips !== undefined && { allowed_ips }),
    expires_at: stamp(expiresAt),
  })
  return { data: await viewOf(family, context, id), plain_text_token: plain }
}

/** The endpoints that every family of tokens has. */
export function tokenEndpoints(family: TokenFamily) {
  const { path, noun, reading, writing, all, making, says, view } = family
  const one = `${path}/{token}` as const
  return {
    list: endpoint({
      method: 'GET',
      path,
      ...says.list,
      access: reading,
      ...all,
      query: offsetQuery(),
      returns: offsetPage(view),

      async handle(context) {
        const { em, query, url } = context
        const { rows, total } = await listTokens(em, family.holderOf(context), query)
        return { data: await family.viewAll(context, rows), ...offsetParts(query, total, url) }
      },
    }),

    get: endpoint({
      method: 'GET',
      path: one,
      ...says.get,
      access: reading,
      ...all,
      returns: ok({ data: view }),

      handle: async context => ({ data: await viewOf(family, context, context.params.token) }),
    }),

    create: endpoint({
      method: 'POST',
      path,
      ...says.create,
      access: writing,
      needsFreshSession: true,
      ...making,
      ...all,
      body: family.body,
      returns: created({ data: view, plain_text_token: z.string() }),

      async handle(context) {
        family.holderOf(context)
        family.refuse(context.caller, context.body.scopes)
        return makeToken(family, context, context.body)
      },
    }),

    rotate: endpoint({
      method: 'POST',
      path: `${path}/{token}/rotate` as const,
      ...says.rotate,
      access: writing,
      needsFreshSession: true,
      ...making,
      ...all,
      body: Rotation,
      returns: created({ data: view, plain_text_token: z.string(), rotated_from: RotatedFrom }),

      async handle(context) {
        const { em, caller, params, body, audit } = context
        const row = await findToken(em, family.holderOf(context), params.token, 'for update')
        family.refuse(caller, scopesOf(family, row))
        const { id, plain, rotatedFrom } = await rotateToken(context, row, body.grace_period_hours)
        family.notify?.(context, 'security_api_token_created')
        audit(`${noun}.rotated`, entity(row.id), {
          replaced_by: { before: null, after: id },
          expires_at: { before: row.expires_at, after: rotatedFrom.expires_at },
        })
        return { data: await viewOf(family, context, id), plain_text_token: plain, rotated_from: rotatedFrom }
      },
    }),

    remove: endpoint({
      method: 'DELETE',
      path: one,
      ...says.delete,
      access: writing,
      ...all,
      returns: noContent,

      async handle(context) {
        const { em, caller, params, audit } = context
        const holder = family.holderOf(context)
        const row = await findToken(em, holder, params.token, 'for update')
        if (family.refusesDeletion) family.refuse(caller, scopesOf(family, row))
        const { id, name, scopes } = row
        await deleteToken(em, holder, id)
        family.notify?.(context, 'security_api_token_revoked')
        audit(`${noun}.deleted`, entity(id), { name, scopes })
      },
    }),
  }
}

/** Renames, enables or disables a token. Enabling needs its scopes; disabling is always allowed. */
export const updateToken = (family: TokenFamily, says: Said) =>
  endpoint({
    method: 'PATCH',
    path: `${family.path}/{token}` as const,
    ...says,
    access: family.writing,
    ...family.making,
    ...family.all,
    body: GeneralTokenChanges,
    returns: ok({ data: family.view }),

    async handle(context) {
      const { em, now, caller, audit, params, body: change } = context
      const holder = family.holderOf(context)
      const before = await findToken(em, holder, params.token, 'for update')
      if (change.is_active && !before.is_active) family.refuse(caller, scopesOf(family, before))
      const changed = (['name', 'is_active'] as const).filter(
        field => change[field] !== undefined && change[field] !== before[field],
      )
      if (changed.length > 0) {
        await changeToken(em, holder, before.id, change, now)
        audit(`${family.noun}.updated`, entity(before.id), changesOf(changed, before, change))
      }
      return { data: await viewOf(family, context, before.id) }
    },
  })
