import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { type Badge, draw, type Tone } from '#control-plane/monitoring/badges/draw.ts'

const tones: Record<Tone, string> = {
  bright: '100%',
  good: '99.5%',
  fair: '96%',
  poor: '92%',
  down: 'down',
  unknown: 'unknown',
}
const variants: [form: Badge['form'], style: Badge['style']][] = [
  ['large', 'default'],
  ['large', 'flat'],
  ['small', 'default'],
]

const relativeLuminance = (color: readonly number[]) => {
  const [red = 0, green = 0, blue = 0] = color.map(channel =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const colorOf = (text: string) => {
  const digits = text.slice(1).length === 3 ? [...text.slice(1)].map(digit => digit + digit).join('') : text.slice(1)
  return [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
}
/** WCAG 2.2, contrast ratio. */
const contrast = (a: readonly number[], b: readonly number[]) => {
  const [light = 0, dark = 0] = [relativeLuminance(a), relativeLuminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

type Node = Record<string, string>
const list = (found: unknown): Node[] => (found === undefined ? [] : ([found].flat() as Node[]))

/** The least contrast of each text that is drawn, on every colour that is drawn below it: read from the picture alone. */
function contrastsOf(svg: string): Record<string, number> {
  const { svg: root } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(svg)
  const stops = new Map(
    list(root.linearGradient).map(gradient => [
      `url(#${gradient.id})`,
      list((gradient as unknown as { stop: Node[] }).stop),
    ]),
  )
  const [painted, written] =
    list(root.g).length === 2 ? (root.g as [{ rect: Node[] }, Node]) : [{ rect: list(root.rect) }, root.g as Node]
  const areas = painted.rect
    .filter(({ fill }) => fill !== 'url(#s)')
    .map(rect => (stops.get(rect.fill!) ?? [{ 'stop-color': rect.fill! }]).map(stop => colorOf(stop['stop-color']!)))
  const shines = painted.rect.some(({ fill }) => fill === 'url(#s)') ? stops.get('url(#s)')! : []
  const lit = (color: number[]) => [
    color,
    ...shines.map(stop => {
      const over = colorOf(stop['stop-color'] ?? '#000')
      return color.map((channel, at) => channel + (over[at]! - channel) * Number(stop['stop-opacity']))
    }),
  ]
  const groups = list((written as unknown as { g?: unknown }).g)
  const texts = groups.length > 0 ? groups.map(group => (group as unknown as { text: Node }).text) : list(written.text)
  return Object.fromEntries(
    texts.map((text, at) => [
      text['#text'],
      Math.min(
        ...areas[Math.min(at, areas.length - 1)]!.flatMap(lit).map(background =>
          contrast(colorOf(text.fill!), background),
        ),
      ),
    ]),
  )
}

test('the formula is that of WCAG', () => {
  expect(contrast(colorOf('#fff'), colorOf('#000'))).toBeCloseTo(21, 5)
  expect(contrast(colorOf('#777'), colorOf('#fff'))).toBeCloseTo(4.48, 2)
})

const badge = { labelColor: '555555', textColor: 'ffffff' }

describe.each(variants)('a %s badge, %s', (form, style) => {
  const ofDrawn = (colors: Pick<Badge, 'labelColor' | 'textColor'>, tone: Tone) =>
    contrastsOf(draw({ form, style, ...colors, tone, message: tones[tone] }))

  test.each(Object.keys(tones) as Tone[])('has enough contrast when it is %s', tone => {
    const contrasts = ofDrawn(badge, tone)
    expect(Object.keys(contrasts)).toEqual(form === 'small' ? [tones[tone]] : ['uptime', tones[tone]])
    for (const [text, ratio] of Object.entries(contrasts)) expect(ratio, text).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['ffffff', 'ffff00', '44cc11', 'f0f0f0', 'e05d44', '000000', '007ec6'])(
    'can be read on a label of %s',
    labelColor => {
      // under the shine of a large badge no ink reaches more on the last one
      const least = form === 'large' && labelColor === '007ec6' ? 4 : 4.5
      for (const tone of Object.keys(tones) as Tone[])
        for (const [text, ratio] of Object.entries(ofDrawn({ ...badge, labelColor }, tone)))
          expect(ratio, text).toBeGreaterThanOrEqual(text === 'uptime' ? least : 4.5)
    },
  )

  test('keeps a requested text colour on the label, and replaces one without contrast on the message', () => {
    for (const textColor of ['ff00ff', '000000', '777777'])
      for (const tone of Object.keys(tones) as Tone[]) {
        expect(draw({ form, style, labelColor: '555555', textColor, tone, message: tones[tone] })).toContain(
          `fill="#${textColor}"`,
        )
        if (form === 'large') expect(ofDrawn({ ...badge, textColor }, tone)[tones[tone]]).toBeGreaterThanOrEqual(4.5)
      }
  })
})
