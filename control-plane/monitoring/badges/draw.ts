import { makeBadge } from 'badge-maker'

/** All that can be seen on a badge. No name, address or id of a monitor is among it. */
export interface Badge {
  form: 'large' | 'small'
  style: 'default' | 'flat'
  /** Six hex digits, as is `textColor`. */
  labelColor: string
  textColor: string
  message: string
  tone: Tone
}

export type Tone = keyof typeof tones
/** From and to of a gradient; the second alone where there is none. */
const tones = {
  bright: ['34d058', '2ea44f'],
  good: ['8ac926', '6a9f1b'],
  fair: ['f2c94c', 'd4a017'],
  poor: ['f2994a', 'd9731a'],
  down: ['eb5757', 'cb2431'],
  unknown: ['b0b7bf', '8a929b'],
} as const

/** What a badge says: `down`, the uptime in percent with at most two digits, or that nothing is known. */
export function wordsOf({ isDown, uptimePct }: { isDown: boolean; uptimePct: number | null }): { message: string; tone: Tone } {
  if (isDown) return { message: 'down', tone: 'down' }
  if (uptimePct === null) return { message: 'n/a', tone: 'unknown' }
  // cut off, never rounded up to 100
  return { message: `${Math.floor(uptimePct * 100) / 100}%`, tone: toneOf(uptimePct) }
}

function toneOf(pct: number): Tone {
  if (pct >= 99.9) return 'bright'
  if (pct >= 99) return 'good'
  if (pct >= 95) return 'fair'
  return pct >= 90 ? 'poor' : 'down'
}

export function draw(badge: Badge): string {
  if (badge.form === 'small') return drawSmall(badge)
  return badge.style === 'flat' ? drawFlat(badge) : drawLarge(badge)
}

const font = 'font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11"'
const label = 'uptime'

// advance widths of Verdana at 11 px; the viewer is told them too, so that another font is fitted to the same room
const wide: Record<string, number> = { '.': 4, '/': 5, '%': 11.8, w: 9, m: 10.7, i: 3, t: 4.3 }
const widthOf = (text: string) => Math.ceil([...text].reduce((sum, letter) => sum + (wide[letter] ?? 7), 0))

const words = (text: string, x: number, y: number, fill: string) => `<text x="${x}" y="${y}" fill="#${fill}" textLength="${widthOf(text)}">${text}</text>`

function drawLarge({ labelColor, textColor, message, tone }: Badge): string {
  const [from, to] = tones[tone]
  const left = widthOf(label) + 12
  const right = widthOf(message) + 12
  const width = left + right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${message}"><title>${label}: ${message}</title>`,
    `<linearGradient id="m" x2="1" y2="0"><stop offset="0" stop-color="#${from}"/><stop offset="1" stop-color="#${to}"/></linearGradient>`,
    '<linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".16"/><stop offset="1" stop-opacity=".14"/></linearGradient>',
    `<clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#${labelColor}"/><rect x="${left}" width="${right}" height="20" fill="url(#m)"/><rect width="${width}" height="20" fill="url(#s)"/></g>`,
    `<g ${font}>${words(label, 6, 14, textColor)}${words(message, left + 6, 14, textColor)}</g></svg>`,
  ].join('')
}

function drawSmall({ labelColor, textColor, message, tone }: Badge): string {
  const width = widthOf(message) + 25
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="18" role="img" aria-label="${label}: ${message}"><title>${label}: ${message}</title>`,
    `<rect width="${width}" height="18" rx="9" fill="#${labelColor}"/><circle cx="10" cy="9" r="4" fill="#${tones[tone][0]}"/>`,
    `<g ${font}>${words(message, 18, 13, textColor)}</g></svg>`,
  ].join('')
}

/** badge-maker chooses the colour of letters itself, so ours is put in its place afterwards. */
function drawFlat({ labelColor, textColor, message, tone }: Badge): string {
  return makeBadge({ label, message, labelColor: `#${labelColor}`, color: `#${tones[tone][1]}`, style: 'flat' })
    .replace('<g fill="#fff" text-anchor', `<g fill="#${textColor}" text-anchor`)
    .replaceAll(/(<text [^>]*) fill="#333"/g, '$1')
}
