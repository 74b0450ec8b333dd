import { describe, expect, test } from 'vitest'
import { type Control, controls, report, simulate } from './simulator.ts'

/** R7 of the reliability figures: 10^5 monitor-hours here; `npm run faults` runs 10^7. */
const gateHours = 100_000

test(`no false incident and no outage missed in ${gateHours.toLocaleString('en')} simulated monitor-hours of faults`, () => {
  const tally = simulate({ monitorHours: gateHours })
  console.log(report(tally))
  expect(tally.failures).toEqual([])
  expect(tally).toMatchObject({ falseIncidents: 0, falseRecoveries: 0, missed: 0, stuck: 0, movedBySilence: 0 })
  // a run that met nothing would prove nothing
  expect(tally.detectable).toBeGreaterThan(2_000)
  for (const kind of [
    'cut',
    'cut_out',
    'cut_in',
    'skew',
    'overloaded',
    'resolver',
    'zombie',
    'duplicates',
    'own_stop',
    'unreachable',
    'lossy',
    'hiccup',
  ])
    expect(tally.faults[kind], kind).toBeGreaterThan(100)
}, 240_000)

test('the same seeds give the same run', () => {
  const run = () => simulate({ monitorHours: 1_000, firstSeed: 42 })
  expect(run()).toEqual(run())
})

describe('with a guard taken out the run goes red', () => {
  const hours: Record<Control, number> = {
    no_quorum: 1_000,
    no_eligibility: 2_000,
    one_confirmation: 4_000,
    no_replay_guard: 8_000,
    no_moment: 8_000,
  }
  for (const control of controls)
    test(control, () => {
      const tally = simulate({ monitorHours: hours[control], control })
      console.log(
        `${control}: ${tally.falseIncidents} false incidents, ${tally.falseRecoveries} false recoveries in ${tally.monitorHours} monitor-hours`,
      )
      expect(tally.falseIncidents).toBeGreaterThan(0)
    }, 60_000)
})
