import type { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'
import { makerOf, mintToken } from './create.ts'
import type { GeneralTokenChanges, NewGeneralToken, Rotation } from './input.ts'
import { endOfNew, refuseBroader } from './pass-on.ts'
import { rotateToken } from './rotate.ts'
import { changeToken, deleteToken, findToken, type Holder } from './row.ts'
import { tenantScopesOf, viewGeneralToken } from './view.ts'

/** Keys of a team or personal tokens of one person. `noun` names them in the audit log. */
export interface TokenOwnership {
  noun: 'api_key' | 'api_token'
  holder: Holder
}

type TokenContext = Pick<
  RequestContext,
  'em' | 'now' | 'ip' | 'caller' | 'tenant' | 'services' | 'audit' | 'start' | 'emit' | 'mail'
>
const entity = (id: string) => ({ type: 'personal_access_token' as const, id })

export async function makeGeneralToken(
  context: TokenContext,
  { noun, holder }: TokenOwnership,
  body: z.output<typeof NewGeneralToken>,
) {
  const { em, now, caller, audit } = context
  const { name, scopes, allowed_ips } = body
  refuseBroader(caller, scopes)
  const end = endOfNew(caller, body.expires_at, now)
  await takePlaces(context, 'api_keys', 1)
  const { id, plain } = await mintToken(
    em,
    {
      ...holder,
      userId: holder.userId ?? null,
      createdBy: makerOf(caller),
      name,
      scopes,
      allowedIps: allowed_ips,
      expiresAt: end,
    },
    now,
  )
  notifyHolder(context, noun, 'security_api_token_created')
  audit(`${noun}.created`, entity(id), { name, scopes, allowed_ips, expires_at: stamp(end) })
  return { data: await viewGeneralToken(context, await findToken(em, holder, id)), plain_text_token: plain }
}

/** Enabling a token needs its scopes; disabling one is always allowed. */
export async function changeGeneralToken(
  context: TokenContext,
  { noun, holder }: TokenOwnership,
  id: string,
  change: z.output<typeof GeneralTokenChanges>,
) {
  const { em, now, caller, audit } = context
  const before = await findToken(em, holder, id, 'for update')
  if (change.is_active && !before.is_active) refuseBroader(caller, tenantScopesOf(before))
  const changed = (['name', 'is_active'] as const).filter(
    field => change[field] !== undefined && change[field] !== before[field],
  )
  if (changed.length > 0) {
    await changeToken(em, holder, before.id, change, now)
    audit(`${noun}.updated`, entity(before.id), changesOf(changed, before, change))
  }
  return { data: await viewGeneralToken(context, await findToken(em, holder, before.id)) }
}

export async function rotateGeneralToken(
  context: TokenContext,
  { noun, holder }: TokenOwnership,
  id: string,
  { grace_period_hours }: z.output<typeof Rotation>,
) {
  const { em, caller, audit } = context
  const row = await findToken(em, holder, id, 'for update')
  refuseBroader(caller, tenantScopesOf(row))
  const rotated = await rotateToken(context, row, grace_period_hours)
  notifyHolder(context, noun, 'security_api_token_created')
  audit(`${noun}.rotated`, entity(row.id), {
    replaced_by: { before: null, after: rotated.id },
    expires_at: { before: row.expires_at, after: rotated.rotatedFrom.expires_at },
  })
  return {
    data: await viewGeneralToken(context, await findToken(em, holder, rotated.id)),
    plain_text_token: rotated.plain,
    rotated_from: rotated.rotatedFrom,
  }
}

export async function deleteGeneralToken(
  context: TokenContext,
  { noun, holder }: TokenOwnership,
  id: string,
): Promise<void> {
  const { em, audit } = context
  const { id: found, name, scopes } = await findToken(em, holder, id, 'for update')
  await deleteToken(em, holder, found)
  notifyHolder(context, noun, 'security_api_token_revoked')
  audit(`${noun}.deleted`, entity(found), { name, scopes })
}

/** Mails the holder of a personal token. A team's keys have no holder. */
function notifyHolder(
  context: TokenContext,
  noun: TokenOwnership['noun'],
  type: 'security_api_token_created' | 'security_api_token_revoked',
): void {
  if (noun === 'api_token' && context.caller.user) notify(context, type, context.caller.user)
}
