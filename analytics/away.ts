const mark = 'isStoreAway'

/** Marks an error as "the named store is unreachable": a code such as ECONNREFUSED does not say which one. */
export function markAway<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error && !(mark in error)) Object.defineProperty(error, mark, { value: true })
  return error
}

export const isMarkedAway = (error: unknown): boolean => error instanceof Error && mark in error
