const revertableMs = 72 * 3_600_000

/** When the links that revert a change of address expire, if it took effect at this moment. */
export const revertableUntil = (changedAt: Date) => new Date(changedAt.getTime() + revertableMs)

/** A masked address that its owner still recognises. */
export const hintAt = (email: string) => email.replace(/^(.)[^@]*/, '$1***')
