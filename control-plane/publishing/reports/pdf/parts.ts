import { bars } from '#charts/bars.ts'
import { spread } from '#charts/spread.ts'
import { element, picture } from '#charts/svg.ts'
import type { MonthlyReport } from '#control-plane/publishing/monthly-reports/read.ts'
import type { Incidents, ReportedMaintenance } from '#control-plane/publishing/reports/details.ts'
import { onColor } from '#control-plane/tenancy/branding/contrast.ts'
import { fill } from '#locales/texts.ts'
import type { RenderableDocument, ReportedDay } from './document.ts'
import { plain, type ReportWords, unbroken } from './words.ts'

/** A node of the page description of pdfmake, which has no types. Texts of users are values of `text` only. */
export type Node = Record<string, unknown>

export const pageWidth = 515
const grey = '#5b6470'
const line = '#d7dce2'

const levels = { full: '#2b8a3e', high: '#82c91e', low: '#f08c00', bad: '#c92a2a', none: '#dee2e6' }
type Level = keyof typeof levels

const levelOf = (uptime: number | null): Level => {
  if (uptime === null) return 'none'
  if (uptime >= 100) return 'full'
  if (uptime >= 99.9) return 'high'
  return uptime >= 99 ? 'low' : 'bad'
}

export const heading = (text: string): Node => ({ text, fontSize: 12, bold: true, margin: [0, 16, 0, 6] })
/** A heading that stays with the first of the nodes below it. */
const withHeading = (text: string, [first, ...others]: readonly Node[]): Node[] => [
  { unbreakable: true, stack: [heading(text), ...(first ? [first] : [])] },
  ...others,
]
export const small = (text: string, more: Node = {}): Node => ({
  text: unbroken(text),
  fontSize: 7.5,
  color: grey,
  ...more,
})

/** The days of a report as a row of bars, in the width given. */
export function dayBars(days: readonly ReportedDay[], { width, height }: { width: number; height: number }): Node {
  const none: Level = 'none'
  const { viewBox, paths } = bars(
    days.map(({ uptime_pct }) => levelOf(uptime_pct)),
    none,
    { bar: 3, space: 1, height: 16 },
  )
  const drawn = paths.map(({ level, d }) => element('path', { d, stroke: levels[level], 'stroke-width': 3 }))
  const inner = element('svg', { width, height, viewBox, preserveAspectRatio: 'none' }, drawn.join(''))
  return { svg: picture({ width, height, title: 'Uptime', description: 'One bar a day.' }, inner), width, height }
}

/** What the colours of bars mean. */
export function legend(words: ReportWords): Node {
  const entries = (Object.keys(levels) as Level[]).flatMap(level => [
    { width: 6, canvas: [{ type: 'rect', x: 0, y: 1.5, w: 6, h: 6, color: levels[level] }] },
    small(words.legend[level], { width: 'auto', margin: [0, 0, 10, 0] }),
  ])
  // a column a word: divided, the colours would stand on one page and their meaning on the next
  return { unbreakable: true, stack: [{ columns: entries, columnGap: 3, margin: [0, 4, 0, 0] }] }
}

export interface Tile {
  label: string
  value: string
  note?: string
}

/** Figures side by side, each with its label above and a note below. */
export const tiles = (all: readonly Tile[]): Node => ({
  margin: [0, 12, 0, 4],
  table: {
    widths: all.map(() => '*'),
    body: [
      all.map(({ label, value, note = ' ' }) => ({
        stack: [small(label), { text: unbroken(value), fontSize: 14, bold: true, margin: [0, 1, 0, 1] }, small(note)],
      })),
    ],
  },
  layout: {
    hLineWidth: () => 0.5,
    vLineWidth: (column: number) => (column === 0 || column === all.length ? 0 : 0.5),
    hLineColor: () => line,
    vLineColor: () => line,
    paddingTop: () => 6,
    paddingBottom: () => 5,
    paddingLeft: () => 8,
    paddingRight: () => 4,
  },
})

/** A table whose head is repeated on each page, and whose rows are never divided. */
export const table = (color: string, widths: (string | number)[], head: readonly string[], rows: Node[][]): Node => ({
  table: {
    headerRows: 1,
    dontBreakRows: true,
    keepWithHeaderRows: 1,
    widths,
    body: [
      head.map((text, column) => ({
        text,
        bold: true,
        fontSize: 7.5,
        color: onColor(color),
        fillColor: color,
        alignment: column === 0 ? 'left' : 'right',
      })),
      ...rows,
    ],
  },
  layout: {
    hLineWidth: (row: number) => (row < 2 ? 0 : 0.5),
    vLineWidth: () => 0,
    hLineColor: () => line,
    paddingTop: () => 3.5,
    paddingBottom: () => 3.5,
    paddingLeft: () => 4,
    paddingRight: () => 4,
  },
})

export const figure = (text: string, note?: string): Node =>
  note === undefined
    ? { text: unbroken(text), fontSize: 8, alignment: 'right' }
    : { stack: [{ text: unbroken(text), fontSize: 8 }, small(note, { fontSize: 7 })], alignment: 'right' }

/** Median and 95th percentile by day. */
export function responseChart(
  days: readonly { date: string; p50_response_ms: number | null; p95_response_ms: number | null }[],
  color: string,
  words: ReportWords,
): Node {
  const points = (name: 'p50_response_ms' | 'p95_response_ms') =>
    days.map(day => ({ at: Date.parse(day.date), value: day[name] }))
  const [width, height] = [pageWidth, 130]
  const svg = spread(points('p50_response_ms'), points('p95_response_ms'), {
    width,
    height,
    title: words.responseTimes,
    description: words.responseCaption,
    color: grey,
    font: 'Roboto',
    stroke: color,
    formatValue: words.ms,
    formatTime: at => words.shortDate(at),
  })
  return { stack: [{ svg, width, height }, small(words.responseCaption)] }
}

const spanOfTime = (from: string, to: string | null, words: ReportWords) =>
  `${words.moment(from)} – ${to === null ? words.ongoing : words.moment(to)}`

export function incidentList({ shown, count }: Incidents, words: ReportWords): Node[] {
  if (count === 0) return [heading(words.incidents), { text: words.noIncidents, fontSize: 9 }]
  const items = shown.map(incident => ({
    unbreakable: true,
    margin: [0, 0, 0, 8],
    stack: [
      {
        columns: [
          { text: plain(incident.title), bold: true, fontSize: 9 },
          { text: unbroken(words.span(incident.duration_s)), width: 80, fontSize: 9, alignment: 'right' },
        ],
      },
      small([plain(incident.monitor_name), spanOfTime(incident.started_at, incident.resolved_at, words)].join(' · ')),
      ...(incident.cause === null ? [] : [{ text: plain(incident.cause), fontSize: 8 }]),
      ...(incident.proof === '' ? [] : [{ text: plain(incident.proof), fontSize: 8 }]),
      ...incident.regions.map(({ region, saw }) => small(`${plain(region)}: ${plain(saw)}`, { margin: [8, 0, 0, 0] })),
    ],
  }))
  const rest = count - shown.length
  return [...withHeading(words.incidents, items), ...(rest > 0 ? [small(fill(words.more, { rest }))] : [])]
}

export function maintenanceList(windows: readonly ReportedMaintenance[], words: ReportWords): Node[] {
  if (windows.length === 0) return []
  const rows = windows.map(({ title, started_at, ended_at }) => ({
    fontSize: 8.5,
    text: `${spanOfTime(started_at, ended_at, words)}   ${plain(title)}`,
  }))
  return withHeading(words.plannedWork, rows)
}

/** How the figures are computed: at the end of each report. */
export const method = (
  { formula_version, history_waits_since: since }: Pick<MonthlyReport, 'formula_version' | 'history_waits_since'>,
  zones: string,
  words: ReportWords,
): Node => ({
  unbreakable: true,
  stack: [
    heading(words.method),
    small(`${fill(words.formula, { version: formula_version })} ${zones}`),
    ...(since === null ? [] : [small(fill(words.historyWaits, { since: words.moment(since) }))]),
  ],
})

/** The top of the first page: logo or name, title, and a line in the brand's colour. */
export function masthead({ brand, logo }: RenderableDocument, title: string, subtitle: string): Node {
  const name = { text: plain(brand.name), fontSize: 11, bold: true, alignment: 'right' }
  return {
    stack: [
      {
        columns: [
          {
            stack: [
              { text: plain(title), fontSize: 18, bold: true },
              { text: plain(subtitle), fontSize: 9.5, color: grey, margin: [0, 2, 0, 0] },
            ],
          },
          logo === null
            ? { width: 150, ...name }
            : { width: 150, stack: [{ image: 'logo', fit: [140, 40], alignment: 'right' }] },
        ],
      },
      {
        canvas: [{ type: 'rect', x: 0, y: 0, w: pageWidth, h: 3, color: brand.color }],
        margin: [0, 10, 0, 0],
      },
    ],
  }
}

/** The bottom of each page. */
export const footer =
  ({ brand }: RenderableDocument, words: ReportWords) =>
  (page: number, pages: number): Node => ({
    margin: [40, 12, 40, 0],
    columns: [
      small([brand.footerText ?? [], brand.hidesPoweredBy ? [] : words.powered].flat().map(plain).join(' · ')),
      small(fill(words.page, { page, pages }), { alignment: 'right', width: 90 }),
    ],
  })
