import './icons.css'

/** Shapes of 24 by 24, drawn with a line of the text's colour. */
const shapes = {
  add: 'M12 5v14M5 12h14',
  alert: 'M12 3 2 20h20zM12 10v4M12 17v.5',
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  arrowUp: 'M12 19V5M6 11l6-6 6 6',
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 17V10a6 6 0 0 1 12 0v7l2 1H4zM10 21h4',
  calendar: 'M4 6h16v15H4zM4 10h16M8 3v4M16 3v4',
  chart: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  check: 'M5 13l4.5 4.5L19 7',
  chevronDown: 'M6 9l6 6 6-6',
  chevronRight: 'M9 5l7 7-7 7',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  cross: 'M7 7l10 10M17 7L7 17',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  down: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 8.5l7 7M15.5 8.5l-7 7',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  filter: 'M3 5h18l-7 8v6l-4-2v-4z',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18z',
  heart: 'M12 20C-3 11 7 1 12 8c5-7 15 3 0 12z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.5v.5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  lock: 'M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3',
  mail: 'M3 6h18v13H3zM3 7l9 6 9-6',
  maintenance: 'M14 6a4 4 0 0 1 5-3l-2 3 1 2 3-1a4 4 0 0 1-6 4l-8 9a2 2 0 0 1-3-3l9-8z',
  menu: 'M4 6h16M4 12h16M4 18h16',
  monitor: 'M3 12h4l3-8 4 16 3-8h4',
  more: 'M5 12h.5M12 12h.5M19 12h.5',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  pause: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 9v6M14 9v6',
  pending: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h.5M12 12h.5M16 12h.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-9 16-9 16 0',
  play: 'M7 4v16l13-8z',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5v.5M8 16.5v.5',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4',
  snooze: 'M6 5h6l-6 8h6M14 12h5l-5 7h5',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-8 14-8 14 0M16 4a3.5 3.5 0 0 1 0 7M18 14c3 1 4 3 4 6',
  unknown: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 1-1 1.7M12 16.5v.5',
  up: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.5l2.7 2.7L16 9.5',
} as const

export type IconName = keyof typeof shapes

/** A picture beside a text that says the same: screen readers pass over it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
)
