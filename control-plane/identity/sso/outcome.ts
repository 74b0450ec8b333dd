/** How a sign-in at the provider of a team ended. */
export const outcomes = [
  'signed_in',
  'visited',
  'blocked',
  'unreachable',
  'timeout',
  'bad_answer',
  'issuer_mismatch',
  'client_refused',
  'provider_refused',
  'token_invalid',
  'state_invalid',
  'email_missing',
  'email_unverified',
  'domain_unverified',
  'not_a_member',
  'member_disabled',
  'no_seat',
  'staff',
  'team_suspended',
  'sso_off',
] as const
export type Outcome = (typeof outcomes)[number]
export type Failure = Exclude<Outcome, 'signed_in' | 'visited'>

const longestDetail = 500

/** A sign-in that failed, or a configuration that cannot work. `detail` is for administrators: it holds no tokens. */
export class SsoFailure extends Error {
  override readonly name = 'SsoFailure'
  readonly outcome: Failure
  readonly detail: string

  constructor(outcome: Failure, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.outcome = outcome
    this.detail = detail.replace(/\p{Cc}/gu, ' ').slice(0, longestDetail)
  }
}
