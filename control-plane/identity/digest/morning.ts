export const frequencies = ['off', 'daily', 'weekly'] as const
export type Frequency = (typeof frequencies)[number]

/** How often a summary of a time range is mailed. */
export type Rhythm = Frequency | 'monthly'

const dayMs = 86_400_000
const hourOfDay = 7
const monday = 1

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const units = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', ...units })
  // zones can be spelled in more ways than there are zones
  if (formats.size >= 500) formats.clear()
  formats.set(timeZone, made)
  return made
}

/** The local time there, as milliseconds of UTC. */
export function shownAt(ms: number, timeZone: string): number {
  const part = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
}

/** The moment of a local time; computed twice, since summer time may begin between the first estimate and it. */
export function momentOf(shown: number, timeZone: string): number {
  let at = shown
  for (let round = 0; round < 2; round++) at = shown - (shownAt(at, timeZone) - at)
  return at
}

/** The next seven o’clock in the morning there: of any day, of a Monday, or of the first of a month. */
export function nextMorning(after: Date, timeZone: string, rhythm: Rhythm): Date {
  const today = Math.floor(shownAt(after.getTime(), timeZone) / dayMs) * dayMs + hourOfDay * 3_600_000
  for (let shown = today; ; shown += dayMs) {
    if (rhythm === 'weekly' && new Date(shown).getUTCDay() !== monday) continue
    if (rhythm === 'monthly' && new Date(shown).getUTCDate() !== 1) continue
    const at = momentOf(shown, timeZone)
    if (at > after.getTime()) return new Date(at)
  }
}

/** The morning a day, or a week, before one. */
export const morningBefore = (morning: Date, timeZone: string, frequency: Frequency): Date =>
  new Date(momentOf(shownAt(morning.getTime(), timeZone) - (frequency === 'weekly' ? 7 : 1) * dayMs, timeZone))
