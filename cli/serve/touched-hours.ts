import { sql } from 'kysely'
import { z } from 'zod'
import type { Touched } from '#analytics/ingest/ingest.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

const hourMs = 3_600_000

/** Notices of hours that have ended and have late results: a JSON list of tenant, monitor and start of the hour. */
export const touchedNotice = 'touched_hours'

/** A notice of PostgreSQL has at most 8,000 bytes; one entry has about 100. */
const hoursPerNotice = 70
/** More late results than this are left to the comparison that follows every few minutes. */
const mostNotices = 100

const Entries = z.array(z.tuple([z.uuid(), z.uuid(), z.int()]))

/**
 * Notifies the process that computes roll-ups. A notice that is lost is made up for by its comparison of the last two
 * days, every five minutes.
 */
export function passTouchedOn(
  { platform, log, clock }: Pick<Services, 'platform' | 'log' | 'clock'>,
  hours: readonly Touched[],
): void {
  const now = clock.nowMs()
  const late = hours.filter(({ hour }) => hour + hourMs <= now)
  const notices: string[] = []
  for (let index = 0; index < late.length && notices.length < mostNotices; index += hoursPerNotice)
    notices.push(
      JSON.stringify(
        late.slice(index, index + hoursPerNotice).map(({ tenant, monitor, hour }) => [tenant, monitor, hour]),
      ),
    )
  if (notices.length === 0) return
  rows(platform)`select pg_notify(${sql.lit(touchedNotice)}, n) from unnest(${notices}::text[]) as n`.catch(error =>
    log.warn({ err: error }, 'roll-up notice failure'),
  )
}

/** An unreadable notice names no hour. */
export function readTouched(payload: string): Touched[] {
  try {
    return Entries.parse(JSON.parse(payload)).map(([tenant, monitor, hour]) => ({ tenant, monitor, hour }))
  } catch {
    return []
  }
}
