import type { EntityManager } from '@mikro-orm/postgresql'
import { refuseBroaderReseller } from '#control-plane/access/tokens/pass-on.ts'
import { findToken, type Holder, type TokenRow } from '#control-plane/access/tokens/row.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { scopesOf } from './view.ts'

export const tokensOf = (reseller: TenantContext): Holder => ({ kind: 'rk', tenantId: reseller.id })

/** Said wherever tokens are made or changed by tokens. */
export const ownScopesOnly = 'Any reseller token may, whatever its scopes, with tokens whose scopes lie within its own.'

/** A token the caller wants to change: it exists, is this reseller's, and has no scope the caller lacks. */
export async function takeToken(
  { em, tenant, caller }: { em: EntityManager; tenant: TenantContext; caller: Caller },
  id: string,
): Promise<TokenRow> {
  const row = await findToken(em, tokensOf(tenant), id, 'for update')
  refuseBroaderReseller(caller, scopesOf(row))
  return row
}
