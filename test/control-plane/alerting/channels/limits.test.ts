import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cut, cutEscaped, cutLines, withinBytes } from '#control-plane/alerting/channels/kinds/limits.ts'

const anyText = fc.string({ unit: fc.constantFrom('a', 'ß', '🦊', '&', '<', '_', '\u0301', '👨‍👩‍👧') })
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('_', '\\_')

describe('a text that is too long for a receiver', () => {
  test('is cut to the length, never inside a character, and unchanged if it fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, most) => {
        const kept = cut(text, most)
        expect(kept.length).toBeLessThanOrEqual(most)
        expect(kept.isWellFormed()).toBe(true)
        if (text.length <= most) expect(kept).toBe(text)
        else if (most > 0) expect(kept.endsWith('…')).toBe(true)
      }),
    )
    expect([cut('abcd', 4), cut('abcde', 4), cut('abc🦊', 5), cut('abc🦊', 4), cut('abcd', 0)]).toEqual([
      'abcd',
      'abc…',
      'abc🦊',
      'abc…',
      '',
    ])
  })

  test('is cut by its length after escaping, never inside an escape', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, most) => {
        const kept = cutEscaped(text, most, escapeText)
        expect(kept.length).toBeLessThanOrEqual(most)
        expect(kept.replaceAll('&amp;', '').replaceAll('&lt;', '').replaceAll('\\_', '')).not.toMatch(/[&_\\<]/)
        if (escapeText(text).length <= most) expect(kept).toBe(escapeText(text))
      }),
    )
    expect([
      cutEscaped('&&', 10, escapeText),
      cutEscaped('&&&', 10, escapeText),
      cutEscaped('&', 4, escapeText),
    ]).toEqual(['&amp;&amp;', '&amp;…', ''])
  })

  test('loses whole lines, which a mark shows', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), fc.nat(60), (lines, most) => {
        const kept = cutLines(lines, most)
        expect(kept.join('\n').length).toBeLessThanOrEqual(most)
        if (lines.join('\n').length <= most) expect(kept).toEqual(lines)
        else if (kept.length > 1) expect(kept.slice(0, -1)).toEqual(lines.slice(0, kept.length - 1))
      }),
    )
    expect(cutLines(['one', 'two', 'three'], 13)).toEqual(['one', 'two', 'three'])
    expect(cutLines(['one', 'two', 'three'], 12)).toEqual(['one', 'two', '…'])
    expect(cutLines(['one', 'two', 'three'], 8)).toEqual(['one', '…'])
    expect(cutLines(['one', 'two', 'three'], 4)).toEqual(['one…'])
    expect(cutLines(['a long line', 'two'], 6)).toEqual(['a lon…'])
    expect(cutLines([], 0)).toEqual([])
  })

  test('is written with shorter parts until it fits into a number of bytes', () => {
    const make = (longest: number) => 'ß'.repeat(longest)
    expect(withinBytes(22, [10, 5, 1], make)).toBe('ß'.repeat(10))
    expect(withinBytes(21, [10, 5, 1], make)).toBe('ß'.repeat(5))
    expect(withinBytes(3, [10, 5, 1], make)).toBe('ß')
  })
})
