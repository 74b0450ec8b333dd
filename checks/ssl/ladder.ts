const dayMs = 86_400_000

/** A life up to this long is renewed at its half, a longer one when a third is left. */
const shortLifeMs = 10 * dayMs
/** A renewal is overdue once this part of what was left at its time has passed. */
const grace = 0.1
const lateSteps = [3 * dayMs, dayMs]

/**
 * When to warn of a certificate for which the owner of the check chose no days, in milliseconds before its end, the
 * earliest first: once its renewal is overdue, at a sixth of its life, three days and one day before the end, each
 * where it comes after the steps before it. So no certificate that is renewed as planned causes a warning, whether it
 * lives six days or a year.
 */
export function defaultSteps(lifeMs: number): number[] {
  const renewal = lifeMs <= shortLifeMs ? lifeMs / 2 : lifeMs / 3
  return [renewal * (1 - grace), lifeMs / 6, ...lateSteps].filter((step, index, all) =>
    all.slice(0, index).every(earlier => step < earlier),
  )
}

/** The same in days, to a tenth. */
export const defaultDays = (from: Date, to: Date): number[] =>
  defaultSteps(to.getTime() - from.getTime()).map(step => Math.round((10 * step) / dayMs) / 10)
