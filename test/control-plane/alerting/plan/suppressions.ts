import { selectionOf } from '#control-plane/alerting/plan/plan.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'

export const groupingEvents = {
  flapping: 'monitor.flapping',
  storm: 'storm.detected',
  host: 'storm.detected',
} as const

/** A suppression that excludes no channel, except as a test sets it. */
export const suppression = (more: Partial<Suppression> = {}): Suppression => ({
  stage: 'begun',
  by: null,
  is_muted: false,
  is_team_notified: true,
  is_reseller_notified: true,
  ...more,
})

interface Selected {
  audience: 'all' | 'team' | 'reseller'
  only_with: string | null
  only_without: string | null
}

/** Whom an event is for, in a row an audience; one row where it is the same for both. */
export function audiencesOf(stored: Suppression | null): Selected[] {
  const [team, reseller] = [selectionOf(stored, 'team'), selectionOf(stored, 'reseller')]
  const row = (audience: Selected['audience'], of: typeof team): Selected => ({
    audience,
    only_with: of.channels === 'grouped' ? groupingEvents[of.by] : null,
    only_without: of.channels === 'ungrouped' ? groupingEvents[of.by] : null,
  })
  if (team.channels === 'none') return [row('reseller', reseller)]
  if (reseller.channels === 'none') return [row('team', team)]
  return team.channels === reseller.channels ? [row('all', team)] : [row('reseller', reseller), row('team', team)]
}
