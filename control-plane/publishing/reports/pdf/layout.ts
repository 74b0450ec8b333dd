import { cut } from '#control-plane/alerting/mail/words.ts'
import { fill } from '#locales/texts.ts'
import type { RenderableDocument, ReportContent } from './document.ts'
import {
  dayBars,
  figure,
  footer,
  heading,
  incidentList,
  legend,
  maintenanceList,
  masthead,
  method,
  type Node,
  pageWidth,
  responseChart,
  small,
  table,
  tiles,
} from './parts.ts'
import { plain, type ReportWords, wordsOf } from './words.ts'

type Month = Extract<ReportContent, { kind: 'month' }>
type Monitor = Extract<ReportContent, { kind: 'monitor' }>

/** The page description of a report for pdfmake, with its metadata. */
export function layoutOf(document: RenderableDocument): Node & { footer: ReturnType<typeof footer> } {
  const { language, timezone, brand, content, logo } = document
  const words = wordsOf(language, timezone)
  const page = content.kind === 'month' ? monthPages(document, content, words) : monitorPages(document, content, words)
  return {
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 48],
    version: '1.7',
    subset: 'PDF/A-2b',
    language,
    displayTitle: true,
    // the same figures make the same file
    info: {
      title: page.title,
      author: plain(brand.name),
      creator: plain(brand.name),
      producer: plain(brand.name),
      ...page.dates,
    },
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.1 },
    content: page.nodes,
    footer: footer(document, words),
    ...(logo !== null && { images: { logo } }),
  }
}

/** Longer names and addresses are cut in tables. */
const mostName = 90
/** Monitors in the table of what was imported. */
const mostImported = 100

interface Pages {
  title: string
  dates: { creationDate: Date; modDate: Date }
  nodes: Node[]
}

/** What was imported of the past, apart from every figure of our own. */
const importedUptime = (
  imported: Pick<
    NonNullable<Monitor['report']['imported']>,
    'formula' | 'uptime_pct' | 'downtime_s' | 'incidents_count'
  > | null,
  words: ReportWords,
): Node[] =>
  imported === null
    ? []
    : [
        heading(words.imported),
        tiles([
          { label: words.uptime, value: words.percent(imported.uptime_pct) },
          { label: words.downtime, value: words.span(imported.downtime_s) },
          { label: words.incidents, value: words.count(imported.incidents_count) },
        ]),
        small(fill(words.importedFormula, { formula: imported.formula }), { margin: [0, 4, 0, 0] }),
      ]

/** The same for the monitors of a month. */
function importedMonth(imported: Month['report']['imported'], color: string, words: ReportWords): Node[] {
  if (imported === null) return []
  const shown = imported.monitors.slice(0, mostImported)
  const head = [words.monitor, words.days, words.uptime, words.downtime, words.incidents]
  const rows = shown.map(monitor => [
    { text: plain(cut(monitor.monitor_name, mostName)), fontSize: 8.5 },
    figure(words.count(monitor.days_count)),
    figure(words.percent(monitor.uptime_pct)),
    figure(words.span(monitor.downtime_s)),
    figure(words.count(monitor.incidents_count)),
  ])
  return [
    ...importedUptime(imported, words),
    table(color, ['*', 'auto', 'auto', 'auto', 'auto'], head, rows),
    ...(imported.monitors.length > shown.length
      ? [small(fill(words.more, { rest: imported.monitors.length - shown.length }))]
      : []),
  ]
}

const datedAt = (at: string) => ({ creationDate: new Date(at), modDate: new Date(at) })

/** That the month stays as it was mailed, and what it would be now. */
function sentNote(sent: Month['report']['sent'], words: ReportWords): Node[] {
  if (sent === null) return []
  const { at, now } = sent
  const notes = [fill(words.sent, { at: words.moment(at) })]
  if (now)
    notes.push(
      fill(words.sentNow, {
        uptime: words.percent(now.uptime_pct),
        downtime: words.span(now.downtime_s),
        version: now.formula_version,
      }),
    )
  return [small(notes.join(' '))]
}

function monthPages(document: RenderableDocument, content: Month, words: ReportWords): Pages {
  const { report, days, incidents, maintenance } = content
  const named = words.monthName(report.from)
  const month = content.isSoFar ? fill(words.soFar, { month: named }) : named
  const { before } = report
  const withSlo = report.monitors.flatMap(({ slo }) => slo ?? [])
  const was = (text: string) => (before.uptime_pct === null ? undefined : `${words.before} ${text}`)
  const noted = (label: string, value: string, note: string | undefined) => ({ label, value, ...(note && { note }) })
  const head = [
    words.monitor,
    words.uptime,
    words.downtime,
    words.incidents,
    words.times,
    words.maintenance,
    words.noData,
    ...(withSlo.length > 0 ? [words.budget] : []),
  ]
  const nameWidth = withSlo.length > 0 ? 140 : 170
  const rows = report.monitors.map(monitor => [
    {
      stack: [
        {
          text: [plain(cut(monitor.monitor_name, mostName)), ...(monitor.is_removed ? [` ${words.removed}`] : [])],
          bold: true,
          fontSize: 8.5,
        },
        small(plain(cut(monitor.monitor_url, mostName)), { fontSize: 7, margin: [0, 0, 0, 3] }),
        dayBars(days[monitor.monitor_id] ?? [], { width: nameWidth, height: 11 }),
      ],
    },
    figure(
      words.percent(monitor.uptime_pct),
      monitor.before.uptime_pct === null ? ' ' : `${words.before} ${words.percent(monitor.before.uptime_pct)}`,
    ),
    figure(words.span(monitor.downtime_s)),
    figure(
      words.count(monitor.incidents_count),
      monitor.longest_s > 0 ? `${words.longest} ${words.span(monitor.longest_s)}` : ' ',
    ),
    figure(words.ms(monitor.avg_response_ms), words.ms(monitor.p95_response_ms)),
    figure(words.span(monitor.maintenance_s)),
    figure(words.span(monitor.no_data_s)),
    ...(withSlo.length > 0
      ? [
          monitor.slo === null
            ? figure('–')
            : figure(words.percent(monitor.slo.left_pct), `${words.objective} ${words.target(monitor.slo.target_pct)}`),
        ]
      : []),
  ])
  const widths = [nameWidth, '*', '*', '*', '*', '*', '*', ...(withSlo.length > 0 ? ['*'] : [])]
  return {
    title: plain(`${document.team} – ${words.month}, ${month}`),
    dates: datedAt(report.to),
    nodes: [
      masthead(document, document.team, `${words.month}, ${month}`),
      tiles([
        noted(words.uptime, words.percent(report.uptime_pct), was(words.percent(before.uptime_pct))),
        noted(words.downtime, words.span(report.downtime_s), was(words.span(before.downtime_s))),
        noted(words.incidents, words.count(report.incidents_count), was(words.count(before.incidents_count))),
        { label: words.monitors, value: words.count(report.monitors_count) },
        ...(withSlo.length > 0
          ? [
              {
                label: words.objectives,
                value: `${withSlo.filter(({ left_s }) => left_s > 0).length} ${words.of} ${withSlo.length}`,
              },
            ]
          : []),
      ]),
      heading(words.monitors),
      ...(rows.length === 0
        ? [{ text: words.noMonitors }]
        : [
            table(document.brand.color, widths, head, rows),
            ...(report.monitors_count > rows.length
              ? [small(fill(words.more, { rest: report.monitors_count - rows.length }))]
              : []),
            legend(words),
          ]),
      ...incidentList(incidents, words),
      ...maintenanceList(maintenance, words),
      ...importedMonth(report.imported, document.brand.color, words),
      ...sentNote(report.sent, words),
      method(report, fill(words.zone, { timezone: document.timezone }), words),
    ],
  }
}

function monitorPages(document: RenderableDocument, content: Monitor, words: ReportWords): Pages {
  const { report, monitor, incidents, maintenance } = content
  const { overall, daily, slo } = report
  const { color } = document.brand
  const period = `${words.date(report.from)} – ${words.date(report.to)}`
  const head = [
    words.day,
    words.uptime,
    words.downtime,
    words.maintenance,
    words.noData,
    words.mean,
    words.p50,
    words.p95,
    words.results,
  ]
  const rows = daily.map(day => [
    { text: words.date(day.date), fontSize: 8 },
    figure(words.percent(day.uptime_pct)),
    figure(words.span(day.downtime_s)),
    figure(words.span(day.maintenance_s)),
    figure(words.span(day.no_data_s)),
    figure(words.ms(day.avg_response_ms)),
    figure(words.ms(day.p50_response_ms)),
    figure(words.ms(day.p95_response_ms)),
    figure(words.count(day.total_checks)),
  ])
  const percentiles = [overall.p50_response_ms, overall.p95_response_ms, overall.p99_response_ms]
  return {
    title: plain(`${monitor.name} – ${words.monitorReport}, ${period}`),
    dates: datedAt(report.to),
    nodes: [
      masthead(document, monitor.name, `${words.monitorReport}, ${period}`),
      small(plain(monitor.url), { margin: [0, 6, 0, 0] }),
      tiles([
        { label: words.uptime, value: words.percent(overall.uptime_pct) },
        { label: words.downtime, value: words.span(overall.downtime_s) },
        { label: words.incidents, value: words.count(overall.incidents_count) },
        ...(slo === null
          ? []
          : [
              {
                label: words.budgetLeft,
                value: words.percent(slo.left_pct),
                note: [
                  words.objective,
                  words.target(slo.target_pct),
                  fill(words.inDays, { days: slo.window_days }),
                ].join(' '),
              },
            ]),
      ]),
      tiles([
        { label: words.average, value: words.ms(overall.avg_response_ms) },
        {
          label: words.percentiles,
          value: percentiles.map(words.ms).join(' / '),
        },
        { label: words.maintenance, value: words.span(overall.maintenance_s) },
        { label: words.noData, value: words.span(overall.no_data_s) },
      ]),
      heading(words.byDay),
      dayBars(daily, { width: pageWidth, height: 34 }),
      legend(words),
      heading(words.responseTimes),
      responseChart(daily, color, words),
      ...incidentList(incidents, words),
      ...maintenanceList(maintenance, words),
      ...importedUptime(report.imported, words),
      heading(words.allDays),
      table(color, ['auto', '*', '*', '*', '*', '*', '*', '*', '*'], head, rows),
      method(report, `${words.daysZone} ${fill(words.zone, { timezone: document.timezone })}`, words),
    ],
  }
}
