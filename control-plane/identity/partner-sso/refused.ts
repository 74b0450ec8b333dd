/** Why a link opens no session, each with its own text on the page. */
export const reasons = [
  'bad_link',
  'expired',
  'used',
  'disabled',
  'team_unavailable',
  'account_disabled',
  'account_elsewhere',
  'account_not_linked',
  'account_missing',
  'team_full',
] as const
export type Reason = (typeof reasons)[number]

/** A link that is refused. `tenantId`: its team, if the signature proved it to be a link of that team. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused'
  readonly reason: Reason
  readonly tenantId: string | undefined

  constructor(reason: Reason, tenantId?: string) {
    super(reason)
    this.reason = reason
    this.tenantId = tenantId
  }
}
