/** Every Temporal workflow: its input and its result. The control plane starts them by name, through the outbox. */
export interface Workflows {
  /** Ends a check's snooze. The row decides: a snooze that was changed or cancelled is left alone. */
  snoozeEnd(input: SnoozeEnd): Promise<'ended' | 'superseded'>
  /**
   * Sends reminders three days and one day before a trial's end, then ends it. Superseded when the trial was extended,
   * shortened or cancelled.
   */
  trial(input: Trial): Promise<'expired' | 'superseded'>
  /**
   * Deletes the data of a deleted team after thirty days. Does nothing if the team was restored or deleted again since.
   */
  teamPurge(input: TeamPurge): Promise<'purged' | 'kept'>
  /** Ends the grace period in which a rotated token still works. */
  tokenGrace(input: TokenGrace): Promise<'ended' | 'superseded'>
  /** Expires an invitation that was not accepted. */
  invitationExpiry(input: InvitationExpiry): Promise<'expired' | 'superseded'>
  /**
   * Does what a subscription's row says is due: a pending change, an invoice, a reminder, the end of a grace period.
   * Superseded when something else is due first.
   */
  billing(input: Billing): Promise<'done' | 'superseded'>
  /** Retries a failed delivery at the times stored in its row, until it succeeds or the row marks it as failed. */
  deliveryRetry(input: DeliveryRetry): Promise<DeliveryEnd>
  /**
   * Carries a migration from another provider over its days: reads the source, imports, compares. Continued: another
   * workflow goes on. Superseded when it was deleted.
   */
  migration(input: Migration): Promise<'done' | 'continued' | 'superseded'>
}

export type WorkflowName = keyof Workflows
export type WorkflowInput<Name extends WorkflowName> = Parameters<Workflows[Name]>[0]

/**
 * Times in milliseconds, exactly as in the row: a workflow compares them to know whether the row still refers to it.
 */
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

export interface Billing {
  tenantId: string
  dueAtMs: number
}

export interface DeliveryRetry {
  tenantId: string
  deliveryId: string
}

export interface Migration {
  tenantId: string
  migrationId: string
}

/** `superseded`: another process delivered it, or its channel was deleted. */
export type DeliveryEnd = 'delivered' | 'failed' | 'superseded'

/** Workflow ids: the same for the same time of the same row, so that each workflow runs once. */
export const workflowId = {
  snoozeEnd: (checkId: string, untilMs: number) => `snooze-end-${checkId}-${untilMs}`,
  trial: (teamId: string, endsAtMs: number) => `trial:${teamId}:${endsAtMs}`,
  teamPurge: (teamId: string, deletedAtMs: number) => `team-purge:${teamId}:${deletedAtMs}`,
  tokenGrace: (tokenId: string, expiresAtMs: number) => `token-grace:${tokenId}:${expiresAtMs}`,
  invitationExpiry: (invitationId: string, expiresAtMs: number) => `invitation-expiry:${invitationId}:${expiresAtMs}`,
  billing: (tenantId: string, revision: number) => `billing:${tenantId}:${revision}`,
  deliveryRetry: (deliveryId: string, replays: number) => `delivery-retry:${deliveryId}:${replays}`,
  migration: (migrationId: string, revision: number) => `migration:${migrationId}:${revision}`,
}

/**
 * Signal: the row has changed. The workflow reads it at once instead of at its next timer; it is correct without the
 * signal too.
 */
export const rowChanged = 'changed'

/** Signal: the snooze was cancelled, which ends the workflow. */
export const unsnoozed = 'unsnoozed'

/** Not yet: call again after this much time of the database's clock. */
export interface RetryLater {
  againInMs: number
}
