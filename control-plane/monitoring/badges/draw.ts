import { percent } from '#contract/figures.ts'
import { luminanceOf, readable, white } from './contrast.ts'
import { makeFlatBadge } from './flat.ts'

/** All that a badge shows. It contains no name, address or id of a monitor. */
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
/** The dot of a small badge, and the two ends of a gradient. The flat style uses the last colour alone. */
const tones = {
  bright: ['34d058', '18743a', '125c2d'],
  good: ['8ac926', '4c6e0e', '3f5c0b'],
  fair: ['f2c94c', 'f2c94c', 'dcaa24'],
  poor: ['f2994a', 'f2994a', 'e58532'],
  down: ['eb5757', 'c42b2b', 'a82323'],
  unknown: ['b0b7bf', '5c646c', '4b5259'],
} as const

type BadgeText = Pick<Badge, 'message' | 'tone'>

/** Made once for each status: to format a number costs as much as to find the badge. */
const textsOfStatuses = new WeakMap<object, BadgeText>()

/** The text of a badge: `down`, the uptime in percent with at most two digits, or `n/a` without data. */
export function textOf(status: { isDown: boolean; uptimePct: number | null }): BadgeText {
  const known = textsOfStatuses.get(status)
  if (known) return known
  const text = newTextOf(status)
  textsOfStatuses.set(status, text)
  return text
}

function newTextOf({ isDown, uptimePct }: { isDown: boolean; uptimePct: number | null }): BadgeText {
  if (isDown) return { message: 'down', tone: 'down' }
  if (uptimePct === null) return { message: 'n/a', tone: 'unknown' }
  // cut off, never rounded up to 100
  return { message: percent(uptimePct, 'en').replace(/\s/, ''), tone: toneOf(uptimePct) }
}

function toneOf(pct: number): Tone {
  if (pct >= 99.9) return 'bright'
  if (pct >= 99) return 'good'
  if (pct >= 95) return 'fair'
  return pct >= 90 ? 'poor' : 'down'
}

/** The text for a monitor that does not exist, is deleted or has no uptime check. */
export const unknownText: BadgeText = { message: 'unknown', tone: 'unknown' }

export function draw(badge: Badge): string {
  const image = badge.form === 'small' ? drawSmall(badge) : badge.style === 'flat' ? drawFlat(badge) : drawLarge(badge)
  // a monitor has checks that a badge does not reflect
  return image.replace('</title>', ' (uptime check, last 30 days)</title>')
}

const font = 'font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11"'
const label = 'uptime'

// advance widths of Verdana at 11 px; `textLength` makes the viewer fit another font into the same width
const wide: Record<string, number> = { '.': 4, '/': 5, '%': 11.8, w: 9, m: 10.7, i: 3, t: 4.3 }
const widthOf = (text: string) => Math.ceil([...text].reduce((sum, letter) => sum + (wide[letter] ?? 7), 0))

const text = (text: string, x: number, y: number, fill: string) =>
  `<text x="${x}" y="${y}" fill="#${fill}" textLength="${widthOf(text)}">${text}</text>`

/** The gradient over label and message; `readable` allows for how far it changes their colours. */
const shine =
  '<linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".08"/>' +
  '<stop offset="1" stop-opacity=".1"/></linearGradient>'

/**
 * The colours of both texts. A requested colour is always used on the label, but white becomes black where it has too
 * little contrast.
 */
function inksOf({ labelColor, textColor, tone }: Badge): [onLabel: string, onMessage: string] {
  const [, from, to] = tones[tone]
  return [textColor === white ? readable(textColor, [labelColor]) : textColor, readable(textColor, [from, to])]
}

function drawLarge(badge: Badge): string {
  const { labelColor, message, tone } = badge
  const [, from, to] = tones[tone]
  const [onLabel, onMessage] = inksOf(badge)
  const left = widthOf(label) + 12
  const right = widthOf(message) + 12
  const width = left + right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20"`,
    ` role="img" aria-label="${label}: ${message}">`,
    `<title>${label}: ${message}</title>`,
    `<linearGradient id="m" x2="1" y2="0"><stop offset="0" stop-color="#${from}"/>`,
    `<stop offset="1" stop-color="#${to}"/></linearGradient>`,
    shine,
    `<clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#${labelColor}"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="url(#m)"/>`,
    `<rect width="${width}" height="20" fill="url(#s)"/></g>`,
    `<g ${font}>${text(label, 6, 14, onLabel)}${text(message, left + 6, 14, onMessage)}</g></svg>`,
  ].join('')
}

function drawSmall(badge: Badge): string {
  const { labelColor, message, tone } = badge
  const width = widthOf(message) + 25
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="18"`,
    ` role="img" aria-label="${label}: ${message}">`,
    `<title>${label}: ${message}</title>`,
    `<rect width="${width}" height="18" rx="9" fill="#${labelColor}"/>`,
    `<circle cx="10" cy="9" r="4" fill="#${tones[tone][0]}"/>`,
    `<g ${font}>${text(message, 18, 13, inksOf(badge)[0])}</g></svg>`,
  ].join('')
}

const flatText = /(<g aria-hidden="true" fill="#)\w+(">.*?<\/g><text [^>]*?)(?: fill="#333")?>/g

/** badge-maker chooses the colours of letters and shadows itself, so ours replace them afterwards. */
function drawFlat(badge: Badge): string {
  const { labelColor, message, tone } = badge
  const inks = inksOf(badge)
  return makeFlatBadge({
    label,
    message,
    labelColor: `#${labelColor}`,
    color: `#${tones[tone][2]}`,
    style: 'flat',
  }).replaceAll(flatText, (_, before: string, between: string) => {
    const ink = inks.shift() ?? white
    return `${before}${luminanceOf(ink) > 0.18 ? '010101' : 'ccc'}${between} fill="#${ink}">`
  })
}
