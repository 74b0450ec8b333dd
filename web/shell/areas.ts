import type { LinkProps } from '@tanstack/react-router'

export interface Area {
  to: NonNullable<LinkProps['to']>
  /** Its name among the words of the shell. */
  word: string
}

/** Areas of the navigation by group. An area is listed once its route exists: one line each. */
export const areas: { word: string; areas: Area[] }[] = [
  {
    word: 'group.monitoring',
    areas: [
      { to: '/app', word: 'nav.overview' },
      { to: '/app/monitors', word: 'nav.monitors' },
    ],
  },
  { word: 'group.alerting', areas: [] },
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
