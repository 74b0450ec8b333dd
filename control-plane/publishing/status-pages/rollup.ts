import type { ComponentStatus, DownStatus } from '#control-plane/db/model/status-page-values.ts'
import type { State } from '#control-plane/engine/state/rules.ts'
import type { Language } from '#locales/languages.ts'
import { counted, texts } from '#locales/texts.ts'

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
 * The status of a component of one monitor. A monitor that is not watched, or whose state is unknown, says nothing.
 * `whenDown` is the component's setting: what its visitors lose while the monitor is down.
 */
export function statusOfMonitor(state: State, whenDown: DownStatus): ComponentStatus {
  switch (state) {
    case 'up':
      return 'operational'
    case 'degraded':
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

/** How many of the components of a page have no data. */
export interface Unknown {
  count: number
  total: number
}

export const unknownOf = (components: readonly ComponentStatus[]): Unknown => ({
  count: components.filter(status => status === 'no_data').length,
  total: components.length,
})

/** The sentence above a page whose components together have this status: of all, only what is known of all. */
export function overallSentence(status: ComponentStatus, language: Language, { count, total }: Unknown): string {
  const said = texts('status-pages', language)
  return status === 'operational' && count > 0
    ? counted(said, 'unknown', count, language, { total })
    : said.overall[status]
}
