import type { LinkProps } from '@tanstack/react-router'
import type { Schemas } from '../api.ts'

export interface Area {
  to: NonNullable<LinkProps['to']>
  /** Its name among the words of the shell. */
  word: string
  /** The feature of a plan that the area belongs to: without it, the area is absent, or offered if the reseller offers. */
  feature?: keyof Schemas['Plan']['limits']
}

/** Areas of the navigation by group. An area is listed once its route exists: one line each. */
export const areas: { word: string; areas: Area[] }[] = [
  {
    word: 'group.monitoring',
    areas: [
      { to: '/app', word: 'nav.overview' },
      { to: '/app/monitors', word: 'nav.monitors' },
      { to: '/app/incidents', word: 'nav.incidents' },
      { to: '/app/heartbeats', word: 'nav.heartbeats' },
      { to: '/app/servers', word: 'nav.servers' },
    ],
  },
  {
    word: 'group.alerting',
    areas: [
      { to: '/app/alerts', word: 'nav.alerts' },
      { to: '/app/on-call', word: 'nav.onCall', feature: 'on_call_schedules' },
      { to: '/app/maintenance', word: 'nav.maintenance' },
    ],
  },
  {
    word: 'group.publishing',
    areas: [
      { to: '/app/status-pages', word: 'nav.statusPages' },
      { to: '/app/reports', word: 'nav.reports' },
    ],
  },
  {
    word: 'group.team',
    areas: [
      { to: '/app/team', word: 'nav.team' },
      { to: '/app/settings', word: 'nav.settings' },
    ],
  },
]
