import { expect, test } from 'vitest'
import {
  countPlaceholders,
  fillText,
  fillTexts,
  hasStrayBraces,
  holdsPlaceholder,
  namesIn,
} from '#control-plane/reselling/monitor-templates/placeholders.ts'

const values = (given: Record<string, string>) => new Map(Object.entries(given))

test.each([
  ['https://{{domain}}/', { domain: 'a.example' }, 'https://a.example/'],
  ['{{ spaced }} and {{spaced}}', { spaced: 'x' }, 'x and x'],
  ['{{a}}', { a: '{{b}}', b: 'never' }, '{{b}}'],
  ['{{a}}{{b}}', { a: '{{', b: 'a}}' }, '{{a}}'],
  ['{{a}}', { a: '$& $1 $$' }, '$& $1 $$'],
  ['{{{a}}}', { a: 'x' }, '{x}'],
  ['{{A}}', { a: 'x' }, '{{A}}'],
  ['{{a | upcase}} {% if a %}', { a: 'x' }, '{{a | upcase}} {% if a %}'],
  ['{{é}}', { é: 'x' }, '{{é}}'],
])('%s with %o is %s', (text, given, filled) => {
  expect(fillText(text, values(given))).toBe(filled)
})

test('names are found where they stand, braces that open nothing are noticed', () => {
  expect(namesIn('{{a}} {{b}} {{a}}')).toEqual(['a', 'b', 'a'])
  for (const slip of ['{{', '{{a', '{{}}', '{{a b}}', '{{1a}}', `{{${'a'.repeat(51)}}}`, '{{a}', '{{a}} {{'])
    expect(hasStrayBraces(slip), slip).toBe(true)
  for (const fine of ['', '{a}', '}}', '{{a}}', '{{{a}}}', `{{${'a'.repeat(50)}}}`])
    expect(hasStrayBraces(fine), fine).toBe(false)
})

test('values are filled at any depth, names of fields never', () => {
  const settings = { headers: { 'X-{{a}}': 'Bearer {{a}}' }, list: ['{{a}}', 1, null], flag: true }
  expect(fillTexts(settings, values({ a: 'x' }))).toEqual({
    headers: { 'X-{{a}}': 'Bearer x' },
    list: ['x', 1, null],
    flag: true,
  })
  expect(holdsPlaceholder(settings)).toBe(true)
  expect(holdsPlaceholder({ '{{a}}': 1 })).toBe(false)
})

test('placeholders are counted wherever they stand, names of fields and lists among them', () => {
  const value = { '{{a}}': ['{{a}} and {{ b }}', { c: '{{c}}{{c}}', d: null, e: 1 }], f: '{{ no name }} {{' }
  expect(countPlaceholders(value)).toBe(5)
  expect(countPlaceholders('{{a}}'.repeat(8_000))).toBe(8_000)
})
