import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dutiesOf, onCallAt } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { aSchedule, changes, NaiveClock, naiveModel } from './naive.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const each = 1_000 / changes.length

test.each(changes)('100 schedules in $timezone around $day are what a minute-by-minute model says', change => {
  const clock = new NaiveClock(change)
  const from = Date.parse(change.day) - 2 * dayMs
  const to = Date.parse(change.day) + 2 * dayMs
  fc.assert(
    fc.property(aSchedule(change), schedule => {
      const modelAt = naiveModel(schedule, clock)
      const duties = dutiesOf(schedule, from, to)
      let place = 0
      for (let at = from; at < to; at += minuteMs) {
        while (duties[place]!.to <= at) place++
        const { userId, layer } = duties[place]!
        const model = modelAt(at)
        if (userId !== model.userId || layer?.id !== model.layer?.id)
          expect({ at: new Date(at).toISOString(), userId, layer }).toEqual({
            at: new Date(at).toISOString(),
            ...model,
          })
      }
    }),
    { numRuns: each },
  )
})

test('duties follow each other without a gap or an overlap, and an instant within one answers the same', () => {
  const arbitrary = fc
    .constantFrom(...changes)
    .chain(change => fc.tuple(fc.constant(change), aSchedule(change), fc.integer({ min: 0, max: 8_639 })))
  fc.assert(
    fc.property(arbitrary, ([{ day }, schedule, minute]) => {
      const from = Date.parse(day) - 3 * dayMs
      const duties = dutiesOf(schedule, from, from + 6 * dayMs)
      expect(duties.at(0)?.from).toBe(from)
      expect(duties.at(-1)?.to).toBe(from + 6 * dayMs)
      for (const [index, duty] of duties.entries()) {
        expect(duty.from).toBeLessThan(duty.to)
        const next = duties[index + 1]
        if (next) {
          expect(next.from).toBe(duty.to)
          expect([next.userId, next.layer]).not.toEqual([duty.userId, duty.layer])
        }
      }
      const at = from + minute * minuteMs
      const around = duties.find(duty => duty.from <= at && at < duty.to)!
      const now = onCallAt(schedule, at)
      expect([now.duty.userId, now.duty.layer]).toEqual([around.userId, around.layer])
      if (around.to < from + 6 * dayMs) expect(now.until).toBe(around.to)
    }),
    { numRuns: 200 },
  )
})
