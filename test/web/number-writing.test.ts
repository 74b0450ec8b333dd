import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberWriting } from '../../web/parts/number-writing.ts'

const english = numberWriting('en-GB', 1)
const german = numberWriting('de-DE', 0.001)

describe('a number in a field', () => {
  test.each([
    ['12', 12],
    ['1,440', 1_440],
    ['1,440.5', 1_440.5],
    ['99,9', 99.9],
    ['0.5', 0.5],
    ['-3', -3],
    [' 7 ', 7],
    ['', Number.NaN],
    ['-', Number.NaN],
    ['twelve', null],
    ['1e3', null],
    ['1.2.3', null],
  ])('%j is read as %d in English', (text, number) => {
    expect(english.read(text)).toBe(number)
  })

  test.each([
    ['1.440', 1_440],
    ['1.440,5', 1_440.5],
    ['99,999', 99.999],
    ['99.9', 99.9],
    ['0,5', 0.5],
    ['1,2,3', null],
  ])('%j is read as %d in German', (text, number) => {
    expect(german.read(text)).toBe(number)
  })

  test('is written with the decimal sign of the language, without thousands', () => {
    expect([english.write(1_440.5), german.write(1_440.5), german.write(99.999), german.write(Number.NaN)]).toEqual([
      ...['1440.5', '1440,5', '99,999', ''],
    ])
  })

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), thousandths => {
        const number = thousandths / 1_000
        for (const { read, write } of [english, german]) expect(read(write(number))).toBe(number)
      }),
    )
  })
})
