import type { EntityManager } from '@mikro-orm/postgresql'
import { refuseBroaderReseller } from '#control-plane/access/tokens/pass-on.ts'
import { findToken, type Holder, type TokenRow } from '#control-plane/access/tokens/row.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { scopesOf } from './view.ts'

export const tokensOf = (reseller: TenantContext): Holder => ({ kind: 'rk', tenantId: reseller.id })

/** Part of the description of every endpoint with which tokens manage tokens. */
export const ownScopesOnly = 'Allowed for every reseller token, on tokens whose scopes are within its own.'

/** A token of this reseller to change, or a 404; a 403 if it has scopes that the caller lacks. */
export async function lockToken(
  { em, tenant, caller }: { em: EntityManager; tenant: TenantContext; caller: Caller },
  id: string,
): Promise<TokenRow> {
  const row = await findToken(em, tokensOf(tenant), id, 'for update')
  refuseBroaderReseller(caller, scopesOf(row))
  return row
}
