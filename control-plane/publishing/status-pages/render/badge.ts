import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { makeFlatBadge } from '#control-plane/monitoring/badges/flat.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'

/** Dark enough for white letters. */
const colors: Record<ComponentStatus, string> = {
  operational: '#18743a',
  degraded_performance: '#8a5a00',
  partial_outage: '#8a5a00',
  major_outage: '#c42b2b',
  maintenance: '#0a5fb8',
  no_data: '#5c646c',
}

/** The status of a page as a picture. It names neither the page nor its components. */
export const badgeOf = (status: ComponentStatus, language: Language): string =>
  makeFlatBadge({
    label: 'status',
    message: texts('status-pages', language).status[status].toLowerCase(),
    color: colors[status],
    style: 'flat',
  })
