/** A row that this process has claimed. */
export interface Claimed {
  id: string
  tenant_id: string
  /** Attempts made so far. */
  attempts: number
  /** Keys take turns. */
  key: string
  is_quarantined: boolean
}

/** How an attempt ended. */
export type End<Outcome> =
  | { how: 'done'; outcome: Outcome }
  /** It failed: `afterS` at the earliest it is made again, or the row is given up if that was the last. */
  | { how: 'retry'; why: string; afterS?: number; outcome?: Outcome }
  | { how: 'dead'; why: string; outcome?: Outcome }
  /** It could not be made, and is not counted. */
  | { how: 'wait'; seconds: number; why?: string }
  /** Nothing is written: the row was put off, or its claim is left to expire. */
  | { how: 'left' }

/** A row and how it ended. */
export interface Ended<Item, Outcome> {
  item: Item
  end: Exclude<End<Outcome>, { how: 'left' }>
}
