import type { VisitRefusal } from '#control-plane/identity/sso/visit-refusal.ts'

/** Why a subscription was declined. */
export type SubscriptionProblem =
  | 'empty'
  | 'both'
  | 'email'
  | 'url'
  | 'components'
  | 'private'
  | 'full'
  | 'slow'
  | 'unavailable'

/** Why a visitor could not sign in at the provider of the team. */
export type SignInProblem = VisitRefusal | 'slow' | 'unavailable'
