/** Every durable process: what it is given, and what it ends with. The control plane starts them by name, through the outbox. */
export interface Workflows {
  /** Wakes when a check's snooze is over. The row decides: one snoozed anew, or no more, is left alone. */
  snoozeEnd(input: SnoozeEnd): Promise<'ended' | 'superseded'>
  /** Reminds three days and one day before a trial's end, and ends it. A trial extended, shortened or cleared meanwhile is another's or nobody's. */
  trial(input: Trial): Promise<'expired' | 'superseded'>
  /** Erases a deleted team after thirty days. One restored, or deleted again since, is kept. */
  teamPurge(input: TeamPurge): Promise<'purged' | 'kept'>
  /** Ends the time in which a rotated token still works. */
  tokenGrace(input: TokenGrace): Promise<'ended' | 'superseded'>
  /** Ends an invitation that nobody took up. */
  invitationExpiry(input: InvitationExpiry): Promise<'expired' | 'superseded'>
  /** Sends what could not be delivered again, each time the row says, until it arrives or the row gives it up. */
  deliveryRetry(input: DeliveryRetry): Promise<DeliveryEnd>
}

/** Each moment in milliseconds, exactly as the row has it: that is how a process knows whether it is still the row's own. */
export interface SnoozeEnd {
  tenantId: string
  checkId: string
  untilMs: number
}

export interface Trial {
  teamId: string
  tenantId: string
  endsAtMs: number
}

export interface TeamPurge {
  teamId: string
  tenantId: string
  deletedAtMs: number
}

export interface TokenGrace {
  tokenId: string
  tenantId: string
  expiresAtMs: number
}

export interface InvitationExpiry {
  invitationId: string
  tenantId: string
  expiresAtMs: number
}

export interface DeliveryRetry {
  tenantId: string
  deliveryId: string
}

/** `superseded`: by somebody else, or gone with its channel. */
export type DeliveryEnd = 'delivered' | 'failed' | 'superseded'

/** What a process is called: the same for the same moment of the same row, so that it runs once. */
export const processId = {
  snoozeEnd: (checkId: string, untilMs: number) => `snooze-end-${checkId}-${untilMs}`,
  trial: (teamId: string, endsAtMs: number) => `trial:${teamId}:${endsAtMs}`,
  teamPurge: (teamId: string, deletedAtMs: number) => `team-purge:${teamId}:${deletedAtMs}`,
  tokenGrace: (tokenId: string, expiresAtMs: number) => `token-grace:${tokenId}:${expiresAtMs}`,
  invitationExpiry: (invitationId: string, expiresAtMs: number) => `invitation-expiry:${invitationId}:${expiresAtMs}`,
  deliveryRetry: (deliveryId: string, replays: number) => `delivery-retry:${deliveryId}:${replays}`,
}

/** Tells a process that its row has changed: it asks at once instead of when its moment comes. Processes do well without being told. */
export const rowChanged = 'changed'

/** The same for a snooze, which ends with it. */
export const unsnoozed = 'unsnoozed'

/** Not yet: ask again when so much time has passed by the database's clock. */
export interface Later {
  againInMs: number
}
