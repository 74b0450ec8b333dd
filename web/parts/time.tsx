import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { duration, moment, type TimeStyle } from '../../contract/figures.ts'
import { usePerson } from '../shell/session.ts'
import { relativeTime } from './times.ts'

const tickMs = 10_000

/** The present moment, anew each ten seconds. Milliseconds since 1970. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Writes moments in the person's zone and language. */
export function useTimes() {
  const { i18n } = useTranslation('parts')
  const { timezone: zone } = usePerson()
  const { language } = i18n
  return {
    zone,
    absolute: (at: string | number, style: TimeStyle = 'short') =>
      moment(new Date(at).getTime(), { language, zone, style }),
    duration: (ms: number) => duration(ms, language),
  }
}

/** A moment as date and time; the whole moment with its zone is its tooltip. `at` as the API gives it. */
export function Moment({ at, style = 'short' }: { at: string; style?: TimeStyle }) {
  const times = useTimes()
  return (
    <time dateTime={at} title={times.absolute(at, 'long')}>
      {times.absolute(at, style)}
    </time>
  )
}

/** A moment as what has passed since, such as "3 minutes ago". */
export function Ago({ at }: { at: string }) {
  const { i18n } = useTranslation('parts')
  const times = useTimes()
  // the server's clock may be ahead of this one: what has happened is never "in 2 seconds"
  const now = useNow()
  const moment = new Date(at).getTime()
  const shown = Math.abs(moment - now) < tickMs ? Math.min(moment, now) : moment
  return (
    <time dateTime={at} title={times.absolute(at, 'long')}>
      {relativeTime(shown, now, i18n.language)}
    </time>
  )
}

/** How long an incident lasted, as the server counts it; one that is open goes on. */
export function IncidentDuration({ incident }: { incident: { duration_s: number; resolved_at: string | null } }) {
  const times = useTimes()
  const now = useNow()
  const { duration_s, resolved_at } = incident
  // the moment at which the server's figure came
  const [read, setRead] = useState({ duration_s, at: now })
  if (read.duration_s !== duration_s) setRead({ duration_s, at: now })
  const since = resolved_at === null ? Math.max(0, now - read.at) : 0
  return <>{times.duration(Math.max(1_000, duration_s * 1_000 + since))}</>
}

/** A span of time; without an end it lasts until now. */
export function Lasted({ from, to }: { from: string; to?: string | null }) {
  const times = useTimes()
  const now = useNow()
  const end = to ? new Date(to).getTime() : now
  return <>{times.duration(Math.max(1_000, end - new Date(from).getTime()))}</>
}
