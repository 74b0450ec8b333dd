const revertableMs = 72 * 3_600_000

/** The end of the links that take a change of the address back, once it has taken effect at this moment. */
export const revertableUntil = (changedAt: Date) => new Date(changedAt.getTime() + revertableMs)

/** Enough of an address to be recognised by who knows it. */
export const hintAt = (email: string) => email.replace(/^(.)[^@]*/, '$1***')
