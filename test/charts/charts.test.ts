import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { line } from '#charts/line.ts'
import { spread } from '#charts/spread.ts'
import type { Point } from '#charts/svg.ts'
import { waterfall } from '#charts/waterfall.ts'

const day = 86_400_000
const options = {
  width: 500,
  height: 120,
  title: 'Response time',
  description: 'By day.',
  formatValue: (ms: number) => `${ms} ms`,
  formatTime: (at: Date) => at.toISOString().slice(5, 10),
}
const points = (...values: (number | null)[]): Point[] => values.map((value, index) => ({ at: index * day, value }))
const isWellFormed = (svg: string) => expect(XMLValidator.validate(svg), svg).toBe(true)
const pathsOf = (svg: string) => [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => path)
const hostile = `</title><script>alert(1)</script>"'&\u0000\ud800`

const charts: Record<string, (title: string, values: Point[]) => string> = {
  line: (title, values) => line([{ points: values, stroke: '#1f6feb' }], { ...options, title, description: title }),
  spread: (title, values) => spread(values, values, { ...options, title, description: title, stroke: '#1f6feb' }),
  waterfall: (title, values) =>
    waterfall(
      values.map(({ value }) => ({ label: title, ms: value, fill: '#1f6feb' })),
      { ...options, title, description: title },
    ),
}

describe.each(Object.entries(charts))('%s', (_, chart) => {
  test('is well-formed and has its title and description, whatever text they are', () => {
    const svg = chart(hostile, points(3, 5, null, 8))
    isWellFormed(svg)
    const { svg: root } = new XMLParser({ ignoreAttributes: false }).parse(svg)
    expect(root['@_role']).toBe('img')
    expect(svg).toContain(`<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\ufffd</title>`)
    expect(svg).not.toContain('<script')
  })

  test('is drawn without values, with one, with equal ones and with ten thousand', () => {
    for (const values of [[], [null], [0], [7], [7, 7], Array.from({ length: 10_000 }, (_, at) => at % 977)]) {
      const svg = chart('Chart', points(...values))
      isWellFormed(svg)
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  test('stays inside of its box', () =>
    fc.assert(
      fc.property(fc.array(fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })), { maxLength: 40 }), values => {
        const svg = chart('Chart', points(...values))
        expect(svg).not.toMatch(/NaN|Infinity/)
        for (const path of pathsOf(svg))
          for (const [, x, y] of path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)) {
            expect(Number(x)).toBeGreaterThanOrEqual(0)
            expect(Number(x)).toBeLessThanOrEqual(options.width)
            expect(Number(y)).toBeGreaterThanOrEqual(0)
            expect(Number(y)).toBeLessThanOrEqual(options.height)
          }
      }),
    ))
})

test('long labels of values and the label of the last moment are not cut off', () => {
  const svg = line([{ points: points(1, 2, 3, 4), stroke: '#1f6feb' }], {
    ...options,
    formatValue: ms => `${ms} hr 33 min 20 sec`,
    formatTime: at => `on ${at.toISOString().slice(0, 16)}`,
  })
  const texts = [...svg.matchAll(/<text x="([\d.]+)" [^>]*text-anchor="(\w+)"[^>]*>([^<]*)/g)]
  expect(texts.length).toBeGreaterThan(5)
  for (const [, x, anchor, text = ''] of texts) {
    const width = text.length * 5
    expect(Number(x) - (anchor === 'end' ? width : width / 2)).toBeGreaterThanOrEqual(0)
    if (anchor === 'middle') expect(Number(x) + width / 2).toBeLessThanOrEqual(options.width)
  }
})

test('a line is interrupted where there is no value', () => {
  const drawn = (values: Point[]) => pathsOf(charts.line!('Chart', values)).at(-1)!
  expect(drawn(points(1, 2, 3)).match(/M/g)).toHaveLength(1)
  expect(drawn(points(1, 2, null, 3, 4)).match(/M/g)).toHaveLength(2)
})

test('the phases of a waterfall follow each other, and one that did not take place has no bar', () => {
  const phases = [
    { label: 'DNS', ms: 10, fill: '#111111' },
    { label: 'TLS', ms: null, fill: '#222222' },
    { label: 'First byte', ms: 30, fill: '#333333' },
  ]
  const svg = waterfall(phases, { ...options, width: 190 })
  const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ])
  expect(bars).toEqual([
    [90, 10],
    [100, 30],
  ])
  expect(svg).toContain('30 ms')
})

test('bands are drawn behind the lines, inside of the axes, and never too thin to be seen', () => {
  const bands = [
    { from: -day, to: day },
    { from: 2 * day, to: 2 * day + 1 },
  ]
  const svg = line([{ points: points(1, 2, 3, 4), stroke: 'blue' }], { ...options, bands, bandFill: 'red' })
  isWellFormed(svg)
  const rects = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)]
  expect(rects.map(([, x, width]) => [Number(x), Number(width)])).toEqual([
    [48, 148],
    [344, 2],
  ])
  expect(svg.indexOf('<rect')).toBeLessThan(svg.indexOf('stroke="blue"'))
})
