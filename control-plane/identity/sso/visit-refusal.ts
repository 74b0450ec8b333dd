import type { Failure } from './outcome.ts'

/** Why a visitor of a status page could not sign in: what the page says of it. */
export const visitRefusals = ['off', 'domain', 'address', 'provider', 'again'] as const
export type VisitRefusal = (typeof visitRefusals)[number]

const refusals: Partial<Record<Failure, VisitRefusal>> = {
  sso_off: 'off',
  team_suspended: 'off',
  domain_unverified: 'domain',
  email_missing: 'address',
  email_unverified: 'address',
  state_invalid: 'again',
}
export const visitRefusalOf = (failure: Failure): VisitRefusal => refusals[failure] ?? 'provider'
