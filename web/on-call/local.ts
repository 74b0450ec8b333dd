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

const daysAfter = (day: string, count: number): string =>
  new Date(utcOf(`${day}T00:00`) + count * dayMs).toISOString().slice(0, 10)

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string =>
  daysAfter(day, -((new Date(utcOf(`${day}T00:00`)).getUTCDay() + 6) % 7))
