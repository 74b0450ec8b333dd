import { grants, type ResellerScope, resellerCovers, roleGrants, type TenantScope } from '#contract/scopes.ts'
import { Sentence } from '#contract/sentence.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden, invalid, Refusal } from '#control-plane/base/refusal.ts'

const tooBroad = (scopes: readonly string[]) =>
  new Refusal(403, 'scope_escalation', 'A token passes on no more than it may do itself.', {
    errors: { scopes: scopes.map(scope => new Sentence('You may not pass on {scope}.', { scope })) },
  })

/** A reseller token manages only tokens whose scopes are within its own. */
export function refuseBroaderReseller(caller: Caller, scopes: readonly ResellerScope[]): void {
  const broader = scopes.filter(scope => !grants(caller.scopes, scope))
  if (broader.length > 0) throw tooBroad(broader)
}

/**
 * A team's key has at most the scopes of its creator: by role, by scopes, or by the matching domains of a reseller
 * token.
 */
export function refuseBroader(caller: Caller, scopes: readonly TenantScope[]): void {
  const broader = scopes.filter(scope => !mayPassOn(caller, scope))
  if (broader.length > 0) throw tooBroad(broader)
}

function mayPassOn({ kind, user, scopes }: Caller, scope: TenantScope): boolean {
  if (kind === 'ss') return user !== null && (user.isSuperAdmin || roleGrants(user.role, scope))
  return kind === 'rk' ? resellerCovers(scopes, scope) : kind !== 'ik' && grants(scopes, scope)
}

/** The end of a new token: as requested, in the future and at most that of the caller's token, which is the default. */
export function endOfNew(caller: Caller, asked: Date | null | undefined, now: Date): Date | null {
  const last = caller.kind === 'ss' || caller.isByCookie ? null : caller.expiresAt
  if (asked === undefined) return last
  if (asked && asked <= now) throw invalid({ expires_at: ['Must be in the future.'] })
  if (last && (!asked || asked > last))
    throw invalid(
      {
        expires_at: [
          new Sentence('Must not be after the end of the token you use: {time}.', { time: last.toISOString() }),
        ],
      },
      'outlives_maker',
    )
  return asked
}

/** Refuses to give the caller the secret of a token that outlives the caller's own. */
export function refuseLongerLived(caller: Caller, expiresAt: Date | null): void {
  if (caller.kind === 'ss' || caller.isByCookie || !caller.expiresAt) return
  if (!expiresAt || expiresAt > caller.expiresAt)
    throw forbidden('This token lives longer than the one you use.', 'outlives_maker')
}
