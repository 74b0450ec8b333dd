import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReport } from '#control-plane/passive/heartbeats/report.ts'
import { cpuOf } from '#test/support/cpu.ts'

const form = 'application/x-www-form-urlencoded'
const read = (text: string, type = form) => readReport(Buffer.from(text), type)

test.each([
  ['of nothing but separators', 'a&'.repeat(131_000), 'ok'],
  ['of names that are almost ours', 'stat&'.repeat(52_000), 'ok'],
  ['with a state behind 100,000 other fields', `${'a&'.repeat(100_000)}%73tate=fail`, 'fail'],
  ['of JSON with 30,000 fields', `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`, 'ok'],
])('a ping %s is read in time', async (_, text, state) => {
  let found: unknown
  const type = text.startsWith('{') ? 'application/json' : form
  expect(
    await cpuOf(() => {
      found = read(text, type).state
    }),
  ).toBeLessThan(100)
  expect(found).toBe(state)
})

test('a form with a thousand escaped names is read, and one more is refused', () => {
  expect(read('%61&'.repeat(1_000)).state).toBe('ok')
  expect(() => read('%61&'.repeat(1_001))).toThrow(expect.objectContaining({ status: 422 }))
})

test('a form is read as URLSearchParams reads it, as far as its fields are ours', () => {
  const name = fc.constantFrom(
    'state',
    'STATE',
    'st%61te',
    'state[]',
    'state%5b',
    'rid',
    'r%69d',
    'exit_code',
    'output',
    'a',
    '',
    '%',
    'x'.repeat(40),
  )
  const value = fc.constantFrom('ok', 'fail', '1', '', 'a=b', '%41', '+', '%zz')
  const pair = fc
    .tuple(name, fc.option(value, { nil: undefined }))
    .map(([key, given]) => (given === undefined ? key : `${key}=${given}`))
  const ours = /^(state|rid|exit_code|output)(\[|$)/i
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 5 }), pairs => {
      const text = pairs.join('&')
      if (text === '') return
      const all = [...new URLSearchParams(text)].filter(([key]) => ours.test(key))
      const names = all.map(([key]) => key)
      const isRefused = names.some(
        (key, index) => !['state', 'rid', 'exit_code', 'output'].includes(key) || names.indexOf(key) !== index,
      )
      if (isRefused) return void expect(() => read(text)).toThrow(expect.objectContaining({ status: 422 }))
      const state = all.find(([key]) => key === 'state')?.[1]
      if (state !== undefined && state !== 'ok' && state !== 'fail')
        return void expect(() => read(text)).toThrow(expect.objectContaining({ status: 422 }))
    }),
    { numRuns: 500 },
  )
})
