const mark = 'isStoreAway'

/** Marks an error as "a store is unreachable": a code such as ECONNREFUSED does not say what is. */
export function markAway<Thrown>(error: Thrown, store: 'archive' | 'other' = 'other'): Thrown {
  if (error instanceof Error && !(mark in error)) Object.defineProperty(error, mark, { value: store })
  return error
}

/** Whether ClickHouse is the store that is unreachable. */
export const isArchiveAway = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { [mark]?: string })[mark] === 'archive'

export const isMarkedAway = (error: unknown): boolean => error instanceof Error && mark in error
