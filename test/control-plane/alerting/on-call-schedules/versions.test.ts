import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Duty, dutiesOf, type Rule, type Version } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { changeRule } from '#control-plane/alerting/on-call-schedules/versions.ts'
import { handoffs } from '#control-plane/db/model/shapes.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const at = (text: string) => Date.parse(text)
const rule = (given: Partial<Rule> = {}): Rule => ({
  timezone: 'UTC',
  users: ['ada', 'bea', 'cem'],
  handoff: 'weekly',
  shiftMinutes: null,
  firstHandoffAt: '2026-11-02T09:00',
  restrictions: [],
  startsAt: null,
  endsAt: null,
  ...given,
})
const anyPerson = () => true
const except = (absent: string) => (user: string) => user !== absent
const first = changeRule([], rule(), 0, anyPerson)
const dutiesBy = (versions: readonly Version[], from: number, to: number): Duty[] =>
  dutiesOf({ rotations: [{ id: 'r', name: 'r', users: [], versions }], overrides: [] }, from, to)
/** Each person with the moment from which the person has duty. */
const planned = (versions: readonly Version[], from = '2026-11-01T09:00Z', to = '2026-12-05T09:00Z') =>
  dutiesBy(versions, at(from), at(to)).map(duty => `${new Date(duty.from).toISOString().slice(5, 16)} ${duty.userId}`)

// Ada is on duty until 9 November
const now = at('2026-11-04T12:00Z')
const begun = ['11-01T09:00 null', '11-02T09:00 ada']

describe('a change of a rotation', () => {
  test.each([
    ['a person who is not on duty leaves', { users: ['ada', 'cem'] }, ['11-09T09:00 cem', '11-16T09:00 ada']],
    ['a person is appended', { users: ['ada', 'bea', 'cem', 'dan'] }, ['11-09T09:00 bea', '11-16T09:00 cem']],
    ['a person is put before the others', { users: ['dan', 'ada', 'bea', 'cem'] }, ['11-09T09:00 bea']],
    ['the order changes', { users: ['ada', 'cem', 'bea'] }, ['11-09T09:00 cem', '11-16T09:00 bea']],
    ['the person on duty is taken off the list', { users: ['bea', 'cem'] }, ['11-09T09:00 bea', '11-16T09:00 cem']],
    ['all others are taken off the list', { users: ['dan', 'eve'] }, ['11-09T09:00 dan', '11-16T09:00 eve']],
    ['turns become days', { handoff: 'daily' as const }, ['11-09T09:00 bea', '11-10T09:00 cem', '11-11T09:00 ada']],
    ['the hour becomes a later one', { firstHandoffAt: '2026-11-02T10:00' }, ['11-09T09:00 bea', '11-16T10:00 cem']],
    ['the hour becomes an earlier one', { firstHandoffAt: '2026-11-02T08:00' }, ['11-09T09:00 bea', '11-16T08:00 cem']],
    ['the day becomes a later one', { firstHandoffAt: '2026-11-06T17:00' }, ['11-09T09:00 bea', '11-13T17:00 cem']],
    ['the zone changes', { timezone: 'America/New_York' }, ['11-09T09:00 bea', '11-16T14:00 cem']],
  ])('counts from the next hand-off: %s', (_, change, expected) => {
    const versions = changeRule(first, rule(change), now, anyPerson)
    expect(planned(versions).slice(0, 2 + expected.length)).toEqual([...begun, ...expected])
  })

  test('waits for a first hand-off that is moved beyond the next one, and begins there with the first person', () => {
    const versions = changeRule(first, rule({ firstHandoffAt: '2026-11-18T09:00' }), now, anyPerson)
    expect(planned(versions).slice(2, 6)).toEqual([
      '11-09T09:00 bea',
      '11-16T09:00 cem',
      '11-18T09:00 ada',
      '11-25T09:00 bea',
    ])
    const without = changeRule(
      versions,
      rule({ firstHandoffAt: '2026-11-18T09:00', users: ['ada', 'cem'] }),
      now + dayMs,
      except('bea'),
    )
    expect(planned(without).slice(2, 5)).toEqual(['11-09T09:00 cem', '11-16T09:00 ada', '11-25T09:00 cem'])
  })

  test('is undone by the change back', () => {
    const versions = changeRule(first, rule({ users: ['cem'] }), now, anyPerson)
    expect(changeRule(versions, rule(), now + dayMs, anyPerson)).toEqual(first)
  })

  test('counts at once before the first hand-off', () => {
    const early = at('2026-11-01T12:00Z')
    const versions = changeRule(first, rule({ users: ['bea'], firstHandoffAt: '2026-11-02T07:00' }), early, anyPerson)
    expect(planned(versions)).toEqual(['11-01T09:00 null', '11-02T07:00 bea'])
  })

  test('counts at once where it is an end or a start of the whole rotation, and leaves the past', () => {
    const ended = changeRule(first, rule({ endsAt: at('2026-11-03T00:00Z') }), now, anyPerson)
    expect(planned(ended)).toEqual([...begun, '11-04T12:00 null'])
    const again = changeRule(ended, rule(), now + dayMs, anyPerson)
    expect(planned(again).slice(0, 6)).toEqual([
      ...begun,
      '11-04T12:00 null',
      '11-05T12:00 ada',
      '11-09T09:00 bea',
      '11-16T09:00 cem',
    ])
  })
})

describe('a person who is absent', () => {
  test('and has no duty leaves the running turn as it is', () => {
    const versions = changeRule(first, rule({ users: ['ada', 'cem'] }), now, except('bea'))
    expect(planned(versions).slice(0, 4)).toEqual([...begun, '11-09T09:00 cem', '11-16T09:00 ada'])
  })

  test('and is on duty is followed by the next person at once, for a whole turn where less than half is left', () => {
    const others = rule({ users: ['bea', 'cem'] })
    expect(planned(changeRule(first, others, now, except('ada'))).slice(2, 5)).toEqual([
      '11-04T12:00 bea',
      '11-09T09:00 cem',
      '11-16T09:00 bea',
    ])
    expect(planned(changeRule(first, others, now + 3 * dayMs, except('ada'))).slice(2, 4)).toEqual([
      '11-07T12:00 bea',
      '11-16T09:00 cem',
    ])
  })

  test('is followed at once also where the list no longer named the person', () => {
    const listed = changeRule(first, rule({ users: ['bea', 'cem'] }), now, anyPerson)
    const left = changeRule(listed, rule({ users: ['bea', 'cem'] }), now + dayMs, except('ada'))
    expect(planned(left).slice(0, 4)).toEqual([...begun, '11-05T12:00 bea', '11-09T09:00 cem'])
  })

  test('who was the only one leaves a gap, which the next who is named fills at once', () => {
    const alone = changeRule([], rule({ users: ['ada'] }), 0, anyPerson)
    const empty = changeRule(alone, rule({ users: [] }), now, except('ada'))
    expect(planned(empty)).toEqual([...begun, '11-04T12:00 null'])
    const filled = changeRule(empty, rule({ users: ['bea'] }), now + dayMs, except('ada'))
    expect(planned(filled)).toEqual([...begun, '11-04T12:00 null', '11-05T12:00 bea'])
  })
})

const people = ['ada', 'bea', 'cem', 'dan']
const start = at('2026-03-20T00:00Z')

/** Rules in zones whose clocks change within the days of the edits. */
const aRule: fc.Arbitrary<Rule> = fc.record({
  timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
  users: fc.shuffledSubarray(people, { minLength: 1 }),
  handoff: fc.constantFrom(...handoffs),
  shiftMinutes: fc.integer({ min: 60, max: 3_000 }),
  firstHandoffAt: fc
    .tuple(fc.integer({ min: -40, max: 20 }), fc.constantFrom('02:30', '09:00', '17:15'))
    .map(([days, time]) => `${new Date(start + days * dayMs).toISOString().slice(0, 10)}T${time}`),
  restrictions: fc.constantFrom([], [{ days: ['mon', 'tue', 'sat'] as const, from: '08:00', to: '18:00' }]),
  startsAt: fc.constant(null),
  endsAt: fc.constant(null),
})
const anEdit = fc.record({
  change: fc.oneof(
    aRule.map(({ users }) => ({ users })),
    aRule.map(({ handoff, shiftMinutes }) => ({ handoff, shiftMinutes })),
    aRule.map(({ firstHandoffAt }) => ({ firstHandoffAt })),
    aRule.map(({ timezone }) => ({ timezone })),
    aRule.map(({ restrictions }) => ({ restrictions })),
    aRule,
  ),
  afterMinutes: fc.integer({ min: 1, max: 6 * 1_440 }),
  leaves: fc.option(fc.constantFrom(...people), { freq: 2 }),
})

test('whatever is edited and when, the past stays, and so does the running turn of a person who stays', () => {
  fc.assert(
    fc.property(aRule, fc.array(anEdit, { minLength: 1, maxLength: 8 }), (begins, edits) => {
      let current = begins
      let versions = changeRule([], current, 0, anyPerson)
      let moment = start
      const from = start - 20 * dayMs
      for (const { change, afterMinutes, leaves } of edits) {
        moment += afterMinutes * minuteMs
        const isPresent = (user: string) => user !== leaves
        const next = { ...current, ...change }
        const edited = { ...next, users: next.users.filter(isPresent) }
        const before = versions
        versions = changeRule(before, edited, moment, isPresent)
        expect(dutiesBy(versions, from, moment)).toEqual(dutiesBy(before, from, moment))
        const [was] = dutiesBy(before, moment, moment + 60 * dayMs)
        const [is] = dutiesBy(versions, moment, moment + 60 * dayMs)
        if (was!.userId !== null && was!.userId !== leaves) expect(is!.userId).toBe(was!.userId)
        if (is!.userId !== null) expect(is!.userId).not.toBe(leaves)
        const froms = versions.map(version => version.from)
        expect(froms).toEqual([...new Set(froms)].toSorted((a, b) => a - b))
        expect(changeRule(versions, edited, moment + 1, isPresent)).toBe(versions)
        current = { ...next, users: edited.users.length > 0 ? edited.users : next.users }
      }
    }),
    { numRuns: 300 },
  )
})
