const mark = 'isStoreAway'

/** Notes on an error that a store could not be reached: a code such as ECONNREFUSED alone does not say by whom. */
export function markAway<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error && !(mark in error)) Object.defineProperty(error, mark, { value: true })
  return error
}

export const isMarkedAway = (error: unknown): boolean => error instanceof Error && mark in error
