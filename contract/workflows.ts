/** Every durable process: what it is given, and what it ends with. The control plane starts them by name, through the outbox. */
export interface Workflows {
  /** Wakes when a check's snooze is over. The row decides: one snoozed anew, or no more, is left alone. */
  snoozeEnd(input: SnoozeEnd): Promise<'ended' | 'superseded'>
}

export interface SnoozeEnd {
  tenantId: string
  checkId: string
  /** Milliseconds: the very moment this snooze ends, as the row has it. */
  untilMs: number
}
