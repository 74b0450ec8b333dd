import { bars, joined } from '#charts/bars.ts'
import { dayText, milliseconds, minutes, percent } from '#contract/figures.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
import type { Language } from '#locales/languages.ts'
import { counted, fill, type StatusPageTexts } from '#locales/texts.ts'
import { type Level, levels, type PageComponent, type PageDay, type PageModel } from './model.ts'

/** More bars than this could not be distinguished on a phone. */
const mostBars = 120

export const classOfLevel: Record<Level, string> = {
  none: 'none',
  maintenance: 'maint',
  good: 'ok',
  minor: 'minor',
  major: 'major',
}

/** The bars of a component, the sentence that says the same, and the table behind them, as HTML. */
export function historyOf(
  { days, uptimePct, name }: Pick<PageComponent, 'days' | 'uptimePct' | 'name'>,
  { show, dates }: Pick<PageModel, 'show' | 'dates'>,
  language: Language,
  said: StatusPageTexts,
  id: string,
): string | null {
  if (days === null || days.length === 0) return null
  const { levels: shown, each } = joined(
    days.map(day => day.level),
    levels,
    mostBars,
  )
  const { viewBox, paths } = bars(shown, 'good')
  const uptime = show.uptime && uptimePct !== null ? fill(said.uptime, { pct: percent(uptimePct, language) }) : ''
  const sentence = sentenceOf(days, show.uptime ? uptimePct : null, each, language, said)
  const drawn = paths.map(({ level, d }) => `<path class="${classOfLevel[level]}" d="${d}"/>`).join('')
  const columns = [said.day, said.uptimeColumn, said.downtime, said.degraded, said.maintenance]
  return (
    `<svg viewBox="${viewBox}" preserveAspectRatio="none" role="img" data-to="${dates[days.length - 1] ?? ''}" ` +
    `${each > 1 ? `data-each="${each}" ` : ''}` +
    `aria-label="${escapeHtml(`${name}: ${sentence}`)}">${drawn}</svg>\n` +
    `<div class="foot"><span>${fill(said.daysAgo, { n: days.length })}</span><span>${uptime}</span>` +
    `<span>${said.today}</span></div>\n` +
    `<details class="days" id="${id}"><summary>${said.days}<span class="vh">: ${escapeHtml(name)}</span></summary>` +
    `<div class="scroll"><table><thead><tr>${columns.map(text => `<th scope="col">${text}`).join('')}</thead><tbody>` +
    `${rowsOf(days, dates, show.values, language, said)}</tbody></table></div></details>`
  )
}

function sentenceOf(
  days: readonly PageDay[],
  uptimePct: number | null,
  each: number,
  language: Language,
  { sentence, perBar }: StatusPageTexts,
): string {
  const n = days.length
  const count = (is: (day: PageDay) => boolean) => days.filter(is).length
  const said = (number: number, key: 'interrupted' | 'maintained' | 'empty') =>
    number === 0 ? [] : [counted(sentence, key, number, language)]
  const interrupted = count(day => day.downMs > 0)
  const empty = count(day => day.level === 'none')
  return [
    ...(uptimePct === null ? [] : [fill(sentence.uptime, { pct: percent(uptimePct, language), n })]),
    ...(interrupted === 0 && empty < n ? [fill(sentence.allGood, { n })] : said(interrupted, 'interrupted')),
    ...said(
      count(day => day.maintenanceMs > 0),
      'maintained',
    ),
    ...said(empty, 'empty'),
    ...(each > 1 ? [fill(perBar, { n: each })] : []),
  ].join(' ')
}

const isPlain = (day: PageDay) => day.downMs === 0 && day.degradedMs === 0 && day.maintenanceMs === 0

/** Newest first. Neighbouring days without anything to say are one row. The end tags are optional. */
function rowsOf(
  days: readonly PageDay[],
  dates: readonly string[],
  showsValues: boolean,
  language: Language,
  said: StatusPageTexts,
): string {
  let rows = ''
  for (let last = days.length - 1; last >= 0; ) {
    const day = days[last]!
    let first = last
    if (isPlain(day)) while (first > 0 && isPlain(days[first - 1]!) && days[first - 1]!.level === day.level) first--
    const size = first < last ? ` data-n="${last - first + 1}"` : ''
    const since = first < last ? `${dayText(dates[first] ?? '', language)} – ` : ''
    const times = [day.downMs, day.degradedMs, day.maintenanceMs].map(ms => (ms === 0 ? '' : minutes(ms, language)))
    // cells at the end of a row may be missing
    while (times.at(-1) === '') times.pop()
    const cells = [uptimeOf(day, showsValues, language, said), ...times].map(text => `<td>${text}`).join('')
    rows += `<tr><th scope="row"${size}>${since}${dayText(dates[last] ?? '', language)}${cells}`
    last = first - 1
  }
  return rows
}

function uptimeOf(
  { level, uptimePct }: PageDay,
  showsValues: boolean,
  language: Language,
  said: StatusPageTexts,
): string {
  if (uptimePct === null) return level === 'none' ? said.noData : ''
  return showsValues ? percent(uptimePct, language) : said.levels[level]
}

export const responseOf = (
  { responseMs }: PageComponent,
  { show }: PageModel,
  language: Language,
  said: StatusPageTexts,
) => (show.response && responseMs !== null ? fill(said.response, { time: milliseconds(responseMs, language) }) : '')
