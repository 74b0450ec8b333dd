import { bars } from '#charts/bars.ts'
import { element, escapeText } from '#charts/svg.ts'
import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { overallSentence } from '#control-plane/publishing/status-pages/rollup.ts'
import { onColor } from '#control-plane/tenancy/branding/contrast.ts'
import type { Language } from '#locales/languages.ts'
import { fill, texts } from '#locales/texts.ts'
import { classOfLevel } from './component-view.ts'
import { nameOf } from './documents.ts'
import { type Level, levels, type PageModel, unknownIn } from './model.ts'
import { pictureFont } from './picture-font.ts'
import { brandColor, light, lightStates } from './style.ts'

/** In pixels, as networks of people show it. */
export const pictureSize = { width: 1_200, height: 630 } as const

const { width } = pictureSize
const side = 72
const inner = width - 2 * side
const band = 168
const mostDays = 90

const inks: Record<string, string> = {
  ok: lightStates.ok,
  minor: lightStates.fair,
  major: lightStates.bad,
  maint: lightStates.maint,
  none: lightStates.pale,
}
const colorOfStatus: Record<ComponentStatus, string> = {
  operational: lightStates.ok,
  degraded_performance: lightStates.minor,
  partial_outage: lightStates.minor,
  major_outage: lightStates.bad,
  maintenance: lightStates.maint,
  no_data: lightStates.none,
}

/**
 * The picture of a page that networks of people show beside a link to it, as SVG: name, brand, present status, and a
 * bar a day of the last ninety for the page as a whole. `logo`: a PNG or JPEG as a data URL.
 */
export function pictureOf(model: PageModel, language: Language, logo: string | null): string {
  const color = brandColor(model.brand.color)
  const name = nameOf(model, { language })
  const headline = overallSentence(model.status, language, unknownIn(model))
  const title = (y: number, fill: string) => line(name, { y, size: 60, weight: 500, fill })
  const parts = [
    element('rect', { width, height: pictureSize.height, fill: light.page }),
    element('rect', { width, height: band, fill: color }),
    logo === null
      ? title(band / 2 + 21, onColor(color))
      : element('image', {
          x: side,
          y: 36,
          width: inner,
          height: band - 72,
          preserveAspectRatio: 'xMinYMid meet',
          href: logo,
        }) + title(band + 102, light.ink),
    markOf(model.status, logo === null ? 284 : 338),
    line(headline, {
      x: side + 76,
      y: logo === null ? 308 : 360,
      size: 64,
      weight: 500,
      fill: colorOfStatus[model.status],
    }),
    ...historyOf(model, language),
  ]
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...pictureSize, 'font-family': pictureFont },
    parts.join(''),
  )
}

/** As on the page: the form says what the colour says. */
function markOf(status: ComponentStatus, y: number): string {
  const [x, half] = [side + 24, 24]
  const fill = colorOfStatus[status]
  if (status === 'operational') return element('circle', { cx: x, cy: y, r: half, fill })
  if (status === 'no_data')
    return element('circle', { cx: x, cy: y, r: half - 4, fill: 'none', stroke: fill, 'stroke-width': 8 })
  const turned = status === 'maintenance' ? `rotate(45 ${x} ${y})` : undefined
  const size = status === 'maintenance' ? 36 : 44
  return element('rect', {
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
    rx: 5,
    fill,
    transform: turned,
  })
}

function historyOf(model: PageModel, language: Language): string[] {
  const days = levelsOf(model)?.slice(-mostDays)
  if (!days) return []
  const said = texts('status-pages', language)
  const { viewBox, paths } = bars(days, 'good', { bar: 3, space: 1, height: 32 })
  const drawn = paths.map(({ level, d }) =>
    element('path', { d, fill: 'none', stroke: inks[classOfLevel[level]], 'stroke-width': 3 }),
  )
  const of = { x: side, y: 428, width: inner, height: 92, viewBox, preserveAspectRatio: 'none' }
  const small = { y: 572, size: 30, weight: 400, fill: light.soft }
  return [
    element('svg', of, drawn.join('')),
    line(fill(said.daysAgo, { n: days.length - 1 }), small),
    line(said.today, { ...small, x: width - side, anchor: 'end' }),
  ]
}

/** The worst of each day, of all components whose history is shown; null: of none. */
function levelsOf({ groups, dates }: PageModel): Level[] | null {
  const shown = groups.flatMap(({ components }) => components.flatMap(({ days }) => (days === null ? [] : [days])))
  if (shown.length === 0 || dates.length === 0) return null
  return dates.map(
    (_, n) => levels[Math.max(0, ...shown.map(days => levels.indexOf(days[n]?.level ?? 'none')))] ?? 'none',
  )
}

interface Line {
  x?: number
  y: number
  size: number
  weight: number
  fill: string
  anchor?: 'end'
}

/** Least size of a text that is too long, as a share of the usual; beyond it is cut. */
const leastShare = 0.6

/** A text in one line: smaller where it would be too long, and cut where it is longer still. */
function line(text: string, { x = side, y, size, weight, fill: color, anchor }: Line): string {
  const room = anchor === 'end' ? inner : width - side - x
  const share = Math.max(leastShare, Math.min(1, room / (widthOf(text) * size)))
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  let shown = text
  while (widthOf(shown) * size * share > room && characters.pop() !== undefined)
    shown = `${characters.join('').trimEnd()}…`
  const of = { x, y, 'font-size': size * share, 'font-weight': weight, fill: color, 'text-anchor': anchor }
  return element('text', of, escapeText(shown))
}

/** About the width of a text, in sizes of the font: what is beyond European letters counts as a square. */
function widthOf(text: string): number {
  let sum = 0
  for (const character of text) sum += widths.find(([of]) => of.test(character))?.[1] ?? 0.57
  return sum
}

const widths: readonly [RegExp, number][] = [
  [/[\u1100-\u{10ffff}]/u, 1],
  [/[WMm@%]/, 0.9],
  [/[\p{Lu}w]/u, 0.72],
  [/[iljtfr.,:;'|! ]/, 0.34],
]
