import type { ComponentStatus, DownStatus, Locale } from './values.ts'

/** From the best to the worst. `no_data` says nothing, so that any other status decides. */
const order: readonly ComponentStatus[] = [
  'no_data',
  'operational',
  'maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
]

/** How much of a whole is out: the weights of an outage in a roll-up of many. */
const weights: Record<ComponentStatus, number> = {
  no_data: 0,
  operational: 0,
  maintenance: 0,
  degraded_performance: 0,
  partial_outage: 0.5,
  major_outage: 1,
}

/**
 * The status of a component of one monitor. A monitor that is paused or has no verdict says nothing.
 * `whenDown` is the component's setting: what its visitors lose while the monitor is down.
 */
export function statusOfMonitor(monitorStatus: string | null, whenDown: DownStatus): ComponentStatus {
  switch (monitorStatus) {
    case 'up':
      return 'operational'
    case 'warning':
      return 'degraded_performance'
    case 'down':
      return whenDown
    case 'maintenance':
      return 'maintenance'
    default:
      return 'no_data'
  }
}

/**
 * The worst of several statements about one thing, such as that of its monitor and those of open incidents;
 * `no_data` without any.
 */
export const worstOf = (statuses: readonly ComponentStatus[]): ComponentStatus =>
  order[Math.max(0, ...statuses.map(status => order.indexOf(status)))] ?? 'no_data'

/**
 * The status of what consists of parts: of a group of monitors, a group of components, or the page. A major outage is
 * one of all parts that have data; less is a partial outage. Without an outage the worst part decides.
 */
export function rollUp(parts: readonly ComponentStatus[]): ComponentStatus {
  const known = parts.filter(status => status !== 'no_data')
  const out = known.reduce((sum, status) => sum + weights[status], 0)
  if (out === 0) return worstOf(known)
  return out === known.length ? 'major_outage' : 'partial_outage'
}

const sentences: Record<Locale, Record<ComponentStatus, string>> = {
  en: {
    operational: 'All systems operational',
    degraded_performance: 'Degraded performance',
    partial_outage: 'Partial outage',
    major_outage: 'Major outage',
    maintenance: 'Maintenance in progress',
    no_data: 'No data yet',
  },
  de: {
    operational: 'Alle Systeme funktionieren',
    degraded_performance: 'Eingeschränkte Leistung',
    partial_outage: 'Teilweiser Ausfall',
    major_outage: 'Vollständiger Ausfall',
    maintenance: 'Wartung läuft',
    no_data: 'Noch keine Daten',
  },
}

/** The sentence above a page whose components together have this status. */
export const overallSentence = (status: ComponentStatus, locale: Locale): string => sentences[locale][status]
