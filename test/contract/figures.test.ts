import { describe, expect, test } from 'vitest'
import { dayText, duration, milliseconds, moment, number, percent, plain, target } from '#contract/figures.ts'

describe('a share in percent', () => {
  test.each([
    [99.9996, '99.99 %', '99,99 %'],
    [99.99999999, '99.99 %', '99,99 %'],
    [100, '100 %', '100 %'],
    [99.85, '99.85 %', '99,85 %'],
    [99.8516, '99.85 %', '99,85 %'],
    [87.7199, '87.71 %', '87,71 %'],
    [0.0004, '0.01 %', '0,01 %'],
    [0, '0 %', '0 %'],
    [-12.5, '-12.5 %', '-12,5 %'],
    [null, '–', '–'],
  ])('%d is cut to two decimals, neither 100 nor 0 unless it is', (value, english, german) => {
    expect([percent(value, 'en'), percent(value, 'de')].map(plain)).toEqual([english, german])
  })

  test('every figure of two decimals is written as it is', () => {
    for (let n = 0; n <= 10_000; n++) expect(plain(percent(n / 100, 'en'))).toBe(`${String(n / 100)} %`)
  })

  test('one that a person has set keeps its digits', () => {
    expect([target(99.999, 'en'), target(99.9, 'de')].map(plain)).toEqual(['99.999 %', '99,9 %'])
  })
})

test.each([
  [0, '0 ms', '0 ms'],
  [0.44, '0.4 ms', '0,4 ms'],
  [9.96, '10 ms', '10 ms'],
  [340.4, '340 ms', '340 ms'],
  [999.6, '1 s', '1 s'],
  [1_240, '1.24 s', '1,24 s'],
  [null, '–', '–'],
])('a response time of %d ms has the unit that fits', (value, english, german) => {
  expect([milliseconds(value, 'en'), milliseconds(value, 'de')].map(plain)).toEqual([english, german])
})

test.each([
  [0, '0 s', '0 s'],
  [340.9, '340 ms', '340 ms'],
  [4_290, '4.2 s', '4,2 s'],
  [5_000, '5 s', '5 s'],
  [11_999, '11 s', '11 s'],
  [59_999, '59 s', '59 s'],
  [840_000, '14 min', '14 min'],
  [730_000, '12 min 10 s', '12 min 10 s'],
  [7_500_000, '2 h 5 min', '2 h 5 min'],
  [3_600_000 + 5_000, '1 h', '1 h'],
  [86_400_000 * 1_500 + 3_600_000 * 4, '1,500 d 4 h', '1.500 d 4 h'],
])('a span of %d ms has its two largest units, and is not rounded up', (ms, english, german) => {
  expect([duration(ms, 'en'), duration(ms, 'de')].map(plain)).toEqual([english, german])
})

test('a figure and its unit stay on one line', () => {
  const figures = [percent(99.5, 'en'), target(99.5, 'de'), milliseconds(5, 'en'), duration(7_500_000, 'de')]
  expect(figures.filter(text => text.includes(' '))).toEqual([])
})

describe('a moment', () => {
  const at = Date.parse('2026-11-23T23:45:09Z')
  const write = (language: string, style: Parameters<typeof moment>[1]['style'], zone = 'Europe/Berlin') =>
    moment(at, { language, zone, now: at, ...(style && { style }) })

  test('is in the reader’s zone, with 24 hours in every style and language', () => {
    expect([write('en', 'short'), write('de', 'short')]).toEqual(['24 Nov, 00:45', '24. Nov., 00:45'])
    expect([write('en', 'full'), write('de', 'full')]).toEqual([
      '24 November 2026 at 00:45 CET',
      '24. November 2026 um 00:45 MEZ',
    ])
    expect([write('en', 'time'), write('en', 'minute', 'America/New_York')]).toEqual(['00:45:09', '18:45'])
    expect(write('en', 'long', 'UTC')).toBe('23 Nov 2026, 23:45:09 UTC')
  })

  test('has its year where it is not the present one', () => {
    const past = moment(at, { language: 'en', zone: 'UTC', now: Date.parse('2027-02-01T00:00:00Z') })
    expect(past).toBe('23 Nov 2026, 23:45')
  })

  test('an unknown language is English', () => {
    expect(moment(at, { language: 'pt-BR', zone: 'UTC', style: 'date' })).toBe('23 Nov 2026')
  })
})

test('a day and a month are named alike in every zone', () => {
  expect([dayText('2026-11-23', 'en'), dayText('2026-11-23', 'de', 'date'), dayText('2026-11', 'de', 'month')]).toEqual(
    ['23 Nov', '23. Nov. 2026', 'November 2026'],
  )
})

test('a number is grouped as the language does', () => {
  expect([number(1_234_567, 'en'), number(1_234.56, 'de', 1)]).toEqual(['1,234,567', '1.234,6'])
})
