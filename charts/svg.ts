/** What every chart is given. Sizes are in CSS pixels. */
export interface ChartOptions {
  width: number
  height: number
  /** The name of the chart, for screen readers and as a tooltip. */
  title: string
  /** What the chart shows, in one or two sentences. */
  description: string
  /** The colour of texts and axes; that of the surrounding text by default. */
  color?: string
  /** The font of texts; that of the surrounding text by default. */
  font?: string
}

/** A moment with its value; null where there is none. Milliseconds since 1970. */
export interface Point {
  at: number
  value: number | null
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text for SVG: escaped, and without characters that XML does not allow. */
export const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, character => named[character] ?? character)

/** A number with at most two decimals, which are exact enough for any screen. */
export const round = (value: number): string => String(Math.round(value * 100) / 100)

/** An element with its attributes; those that are undefined are left out. */
export function element(name: string, attributes: Record<string, string | number | undefined>, content = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? round(value) : escapeText(value)}"`],
  )
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`
}

/** A whole picture with its title and description. */
export function picture({ width, height, title, description, color, font }: ChartOptions, content: string): string {
  const texts = element('title', {}, escapeText(title)) + element('desc', {}, escapeText(description))
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      width,
      height,
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      color,
      'font-family': font,
    },
    texts + content,
  )
}
