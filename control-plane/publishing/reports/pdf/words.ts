import { dayText, duration, milliseconds, moment, number, percent, plain as spaced, target } from '#contract/figures.ts'
import { clean, type MailLanguage } from '#control-plane/alerting/mail/words.ts'

const texts = {
  en: {
    month: 'Uptime report',
    soFar: (month: string) => `${month} so far`,
    monitorReport: 'Report of a monitor',
    uptime: 'Uptime',
    before: 'before',
    downtime: 'Down',
    incidents: 'Incidents',
    monitors: 'Monitors',
    monitor: 'Monitor',
    objectives: 'Objectives met',
    of: 'of',
    times: 'Mean / 95 %',
    average: 'Mean response time',
    percentiles: 'Percentiles 50 / 95 / 99',
    maintenance: 'Maintenance',
    noData: 'No data',
    budget: 'Budget left',
    budgetLeft: 'Error budget left',
    objective: 'Objective',
    inDays: (days: number) => `in ${days} days`,
    longest: 'longest',
    byDay: 'Uptime by day',
    day: 'Day',
    days: 'Days',
    allDays: 'The days',
    p50: '50 %',
    p95: '95 %',
    mean: 'Mean',
    results: 'Results',
    responseTimes: 'Response times',
    responseCaption: 'Median as a line, the band reaches up to the 95th percentile; of results that are up or warning.',
    plannedWork: 'Planned maintenance',
    removed: '(deleted)',
    sent: (at: string) => `This month is as it was mailed on ${at}.`,
    sentNow: (uptime: string, downtime: string, version: number) =>
      `With results that came later it would be now, by formula version ${version}: uptime ${uptime}, ` +
      `down ${downtime}.`,
    ongoing: 'not over yet',
    noIncidents: 'There were no incidents.',
    noMonitors: 'There are no monitors.',
    failed: (agreed: string, needed: string) => `${agreed} failed, ${needed}.`,
    more: (rest: number) => `and ${rest} more`,
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    method: 'How these figures are computed',
    formula: (version: number) =>
      'Uptime is the share of measured time in which the monitor was not down: 100 × up / (up + down), ' +
      `formula version ${version}. It is down while a critical or major check is; a warning counts as up. ` +
      'Maintenance, pauses and time without data count as neither. A result of one region never lowers uptime; a ' +
      'check is down only when as many regions as were needed failed. Percentiles are right within 2.5 %.',
    imported: 'Imported from the provider before',
    importedFormula: (formula: string) =>
      'Uptime of the days without results of our own, by the incidents of the provider before: down while one ' +
      `lasted, up in the rest of the time that it reports on. Formula ${formula}; it is not part of any figure above.`,
    zone: (timezone: string) => `Times are those of ${timezone}.`,
    historyWaits: (since: string) =>
      `Results from ${since} on are not all stored yet: response times and numbers of results may still change.`,
    daysZone: 'Days are those of UTC.',
    powered: 'Made with Vedette',
    legend: {
      full: '100 %',
      high: 'at least 99.9 %',
      low: 'at least 99 %',
      bad: 'below 99 %',
      none: 'no data',
    },
  },
  de: {
    month: 'Verfügbarkeitsbericht',
    soFar: (month: string) => `${month}, bisher`,
    monitorReport: 'Bericht zu einem Monitor',
    uptime: 'Verfügbarkeit',
    before: 'zuvor',
    downtime: 'Ausfallzeit',
    incidents: 'Störungen',
    monitors: 'Monitore',
    monitor: 'Monitor',
    objectives: 'Ziele erreicht',
    of: 'von',
    times: 'Mittel / 95 %',
    average: 'Mittlere Antwortzeit',
    percentiles: 'Perzentile 50 / 95 / 99',
    maintenance: 'Wartung',
    noData: 'Ohne Daten',
    budget: 'Budget übrig',
    budgetLeft: 'Fehlerbudget übrig',
    objective: 'Ziel',
    inDays: (days: number) => `in ${days} Tagen`,
    longest: 'längste',
    byDay: 'Verfügbarkeit nach Tagen',
    day: 'Tag',
    days: 'Tage',
    allDays: 'Die Tage',
    p50: '50 %',
    p95: '95 %',
    mean: 'Mittel',
    results: 'Ergebnisse',
    responseTimes: 'Antwortzeiten',
    responseCaption:
      'Der Median als Linie, das Band reicht bis zum 95. Perzentil; auch aus Warnungen, nicht aus Ausfällen.',
    plannedWork: 'Geplante Wartung',
    removed: '(gelöscht)',
    sent: (at: string) => `Dieser Monat steht hier, wie er am ${at} verschickt wurde.`,
    sentNow: (uptime: string, downtime: string, version: number) =>
      `Mit später eingegangenen Ergebnissen wären es nun, nach Formelversion ${version}: Verfügbarkeit ${uptime}, ` +
      `Ausfallzeit ${downtime}.`,
    ongoing: 'dauert an',
    noIncidents: 'Es gab keine Störungen.',
    noMonitors: 'Es gibt keine Monitore.',
    failed: (agreed: string, needed: string) => `${agreed} gestört, ${needed}.`,
    more: (rest: number) => `und ${rest} weitere`,
    page: (page: number, pages: number) => `Seite ${page} von ${pages}`,
    method: 'Wie diese Zahlen berechnet sind',
    formula: (version: number) =>
      'Verfügbarkeit ist der Anteil der gemessenen Zeit, in der der Monitor nicht ausgefallen war: ' +
      `100 × erreichbar / (erreichbar + ausgefallen), Formelversion ${version}. Ausgefallen ist er, solange es eine ` +
      'Prüfung mit Schweregrad critical oder major ist; eine Warnung zählt als erreichbar. Wartung, Pausen und Zeit ' +
      'ohne Daten zählen nicht. Das Ergebnis einer einzelnen Region senkt die Verfügbarkeit nie; eine Prüfung ist ' +
      'erst ausgefallen, wenn so viele Regionen wie nötig gescheitert sind. Perzentile sind auf 2,5 % genau.',
    imported: 'Vom früheren Anbieter übernommen',
    importedFormula: (formula: string) =>
      'Verfügbarkeit der Tage ohne eigene Ergebnisse nach den Störungen des früheren Anbieters: ausgefallen, solange ' +
      `eine dauerte, erreichbar in der übrigen Zeit, über die er berichtet. Formel ${formula}; sie ist in keiner der ` +
      'Zahlen oben enthalten.',
    zone: (timezone: string) => `Die Zeiten sind die von ${timezone}.`,
    historyWaits: (since: string) =>
      `Die Ergebnisse ab ${since} sind noch nicht alle gespeichert: Antwortzeiten und Zahlen von Ergebnissen können ` +
      'sich noch ändern.',
    daysZone: 'Die Tage sind die von UTC.',
    powered: 'Erstellt mit Vedette',
    legend: {
      full: '100 %',
      high: 'mindestens 99,9 %',
      low: 'mindestens 99 %',
      bad: 'unter 99 %',
      none: 'keine Daten',
    },
  },
} satisfies Record<MailLanguage, unknown>

/** The texts of a language, and how it writes figures and moments: with ordinary spaces, which `unbroken` replaces. */
export function wordsOf(language: MailLanguage, timezone: string) {
  const at = (when: string | number | Date) => new Date(when).getTime()
  return {
    ...texts[language],
    percent: (value: number | null) => spaced(percent(value, language)),
    target: (value: number) => spaced(target(value, language)),
    ms: (value: number | null) => spaced(milliseconds(value, language)),
    count: (value: number) => number(value, language),
    span: (seconds: number) => spaced(duration(seconds * 1_000, language)),
    moment: (when: string) => moment(at(when), { language, zone: timezone }),
    monthName: (when: string | Date) => moment(at(when), { language, zone: timezone, style: 'month' }),
    /** Days are named by their date, wherever they begin. */
    date: (day: string) => dayText(day, language, 'date'),
    shortDate: (day: Date) => moment(day.getTime(), { language, zone: 'UTC', style: 'day' }),
  }
}
export type ReportWords = ReturnType<typeof wordsOf>

const units = '(?:%|ms|s|min|h|d)(?!\\p{L})'
const gaps = new RegExp(`(?<=\\d) (?=${units})|(?<=\\d\\s(?:d|h|min)) (?=\\d+\\s${units})`, 'gu')

/** Keeps each figure and its unit, and the two units of a span, on one line. */
export const unbroken = (text: string): string => text.replace(gaps, '\u00a0')

/** A text of a user as one line without control characters and marks of direction, cut to 300 characters. */
export const plain = (text: string): string => String(clean(text))
