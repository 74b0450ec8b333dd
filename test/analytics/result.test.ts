import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isResult, readResult } from '#analytics/ingest/result.ts'
import { Result } from '#contract/agent.ts'
import { faultCodes, runPhases } from '#contract/check.ts'
import { makeCheck, resultOf, timedOut } from './given.ts'

const check = makeCheck()
const odd = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    -0,
    0.5,
    65_536,
    2 ** 53,
    '',
    'x'.repeat(41),
    'x'.repeat(1_001),
    [],
    {},
    [[]],
    true,
  ),
  fc.jsonValue(),
  fc.double(),
  fc.uuid(),
  fc.string(),
)
const phases = fc.record({ dns: odd, connect: odd, tls: odd, first_byte: odd, total: odd }, { requiredKeys: [] })
const fault = fc.record({
  code: fc.oneof(fc.constantFrom(...faultCodes), odd),
  phase: fc.oneof(fc.constantFrom(...runPhases), odd),
  message: odd,
})
const fields = {
  seq: odd,
  check: odd,
  kind: odd,
  due: odd,
  attempt: odd,
  reason: odd,
  request: odd,
  at: odd,
  took: odd,
  phases: fc.oneof(phases, odd),
  seen: odd,
  fault: fc.oneof(fault, odd),
  excerpt: odd,
  address: odd,
  is_unreliable: odd,
  unknown_to_us: odd,
}
/** One oddity at a time, else nothing would ever pass. */
const changes = fc.oneof(
  ...Object.entries(fields).map(([key, values]) => (values as fc.Arbitrary<unknown>).map(value => ({ [key]: value }))),
)

test('the fast check of a result accepts nothing that the schema refuses', () => {
  let taken = 0
  fc.assert(
    fc.property(changes, fc.boolean(), (change, isFault) => {
      const value = { ...resultOf(check, 1_790_000_000_000, isFault ? timedOut : {}), ...change }
      if (!isResult(value)) return
      taken++
      const { data, error } = Result.safeParse(value)
      expect(error).toBeUndefined()
      const { unknown_to_us, ...known } = value as Record<string, unknown>
      expect(data).toEqual(known)
    }),
    { numRuns: 8_000 },
  )
  expect(taken).toBeGreaterThan(200)
})

test('the fast check accepts ordinary results without the schema', () => {
  expect(isResult(resultOf(check, 1_790_000_000_000))).toBe(true)
  expect(isResult(resultOf(check, 1_790_000_000_000, timedOut))).toBe(true)
})

test('the schema decides about results that the fast check does not accept', () => {
  const upper = { ...resultOf(check, 1_790_000_000_000), check: check.check.toUpperCase() }
  expect(isResult(upper)).toBe(false)
  expect(readResult(JSON.stringify(upper))).toEqual(upper)
  expect(readResult('{"seq":1}')).toBeUndefined()
  expect(readResult('{')).toBeUndefined()
})
