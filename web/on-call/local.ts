const dayMs = 86_400_000

/** The local time of a moment in a zone, such as `2026-01-05T09:00`. */
export const localOf = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const),
  })
    .format(ms)
    .replace(' ', 'T')

const utcOf = (local: string) => Date.parse(`${local}Z`)

/**
 * The moment of a local time in a zone; NaN for a text that is none. A time that the clocks skip is as long after the
 * last midnight as it says, and of one that they show twice the first counts.
 */
export function instantOf(local: string, zone: string): number {
  const wanted = utcOf(local)
  if (Number.isNaN(wanted)) return Number.NaN
  const offsetAt = (ms: number) => utcOf(localOf(ms, zone)) - ms
  // the clocks change by less than a day: one of these is the offset of the time itself
  const [before, after] = [offsetAt(wanted - dayMs), offsetAt(wanted + dayMs)]
  return offsetAt(wanted - before) === before || offsetAt(wanted - after) !== after ? wanted - before : wanted - after
}

/** As the API takes a moment; a text that is no local time stays as it is, and is refused at its field. */
export function sentOf(local: string, zone: string): string {
  const at = instantOf(local, zone)
  return Number.isNaN(at) ? local : new Date(at).toISOString()
}

/** Days are texts such as `2026-01-05`. */
export const daysAfter = (day: string, count: number): string =>
  new Date(utcOf(`${day}T00:00`) + count * dayMs).toISOString().slice(0, 10)

export const dayOf = (ms: number, zone: string): string => localOf(ms, zone).slice(0, 10)

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string =>
  daysAfter(day, -((new Date(utcOf(`${day}T00:00`)).getUTCDay() + 6) % 7))

/**
 * The last Monday at nine that has begun in a zone, such as `2026-01-05T09:00`: a rotation whose first handoff it is
 * has a person on duty now.
 */
export function lastHandoff(now: number, zone: string): string {
  const monday = mondayOf(dayOf(now, zone))
  const atNine = (day: string) => `${day}T09:00`
  return atNine(instantOf(atNine(monday), zone) > now ? daysAfter(monday, -7) : monday)
}

/** The midnights of days in a row, and of the day after them, as the clocks of a zone show it. */
export const midnightsOf = (first: string, count: number, zone: string): number[] =>
  Array.from({ length: count + 1 }, (_, index) => instantOf(`${daysAfter(first, index)}T00:00`, zone))
