import { describe, expect, test } from 'vitest'
import {
  type Duty,
  dutiesOf,
  type Override,
  onCallAt,
  type Rotation,
  type Rule,
  type Schedule,
} from '#control-plane/alerting/on-call-schedules/duty.ts'
import { changeRule } from '#control-plane/alerting/on-call-schedules/versions.ts'

const at = (text: string) => Date.parse(text)
const rule = (given: Partial<Rule> = {}): Rule => ({
  timezone: 'Europe/Berlin',
  users: ['ann', 'ben'],
  handoff: 'weekly',
  shiftMinutes: null,
  firstHandoffAt: '2026-03-02T09:00',
  restrictions: [],
  startsAt: null,
  endsAt: null,
  ...given,
})
const rotation = ({ id = 'primary', ...given }: Partial<Rule> & { id?: string } = {}): Rotation => {
  const versions = changeRule([], rule(given), 0, () => true)
  return { id, name: id, users: versions[0]!.users, versions }
}
const override = (given: Partial<Override>): Override => ({
  id: 'override',
  userId: 'cid',
  replacesUserId: null,
  policyId: null,
  startsAt: at('2026-03-10T00:00Z'),
  endsAt: at('2026-03-11T00:00Z'),
  ...given,
})
const schedule = (given: Partial<Schedule> = {}): Schedule => ({
  rotations: [rotation()],
  overrides: [],
  ...given,
})
const asText = (duties: readonly Duty[]) =>
  duties.map(({ from, userId, layer }) => `${new Date(from).toISOString().slice(0, 16)} ${userId} ${layer?.id ?? '-'}`)
const listed = (given: Partial<Schedule>, from: string, to: string) =>
  asText(dutiesOf(schedule(given), at(from), at(to)))

describe('a rotation', () => {
  test('hands off each week at the same local time, also over a change of the offset', () => {
    expect(listed({}, '2026-03-23T00:00Z', '2026-04-07T00:00Z')).toEqual([
      '2026-03-23T00:00 ann primary',
      '2026-03-23T08:00 ben primary',
      '2026-03-30T07:00 ann primary',
      '2026-04-06T07:00 ben primary',
    ])
  })

  test('hands off by elapsed time where it is custom, whatever the clock shows', () => {
    const custom = rotation({ handoff: 'custom', shiftMinutes: 12 * 60, firstHandoffAt: '2026-03-28T09:00' })
    expect(listed({ rotations: [custom] }, '2026-03-28T08:00Z', '2026-03-30T08:00Z')).toEqual([
      '2026-03-28T08:00 ann primary',
      '2026-03-28T20:00 ben primary',
      '2026-03-29T08:00 ann primary',
      '2026-03-29T20:00 ben primary',
    ])
  })

  test('has no person on duty before its first hand-off, before its start, after its end and without people', () => {
    expect(listed({}, '2026-03-01T00:00Z', '2026-03-02T12:00Z')).toEqual([
      '2026-03-01T00:00 null -',
      '2026-03-02T08:00 ann primary',
    ])
    const bounded = rotation({ startsAt: at('2026-03-03T00:00Z'), endsAt: at('2026-03-04T00:00Z') })
    expect(listed({ rotations: [bounded] }, '2026-03-02T00:00Z', '2026-03-05T00:00Z')).toEqual([
      '2026-03-02T00:00 null -',
      '2026-03-03T00:00 ann primary',
      '2026-03-04T00:00 null -',
    ])
    const empty = rotation({ users: [] })
    expect(listed({ rotations: [empty] }, '2026-03-02T00:00Z', '2026-03-05T00:00Z')).toEqual([
      '2026-03-02T00:00 null -',
    ])
  })

  test('has duty only where its restrictions allow, also over midnight', () => {
    const nights = rotation({ users: ['ann'], restrictions: [{ days: ['fri', 'sat'], from: '22:00', to: '06:00' }] })
    expect(listed({ rotations: [nights] }, '2026-03-06T12:00Z', '2026-03-09T12:00Z')).toEqual([
      '2026-03-06T12:00 null -',
      '2026-03-06T21:00 ann primary',
      '2026-03-07T05:00 null -',
      '2026-03-07T21:00 ann primary',
      '2026-03-08T05:00 null -',
    ])
  })

  test('joins restrictions that touch, and takes equal times as a whole day', () => {
    const days = rotation({
      users: ['ann'],
      restrictions: [
        { days: ['mon'], from: '00:00', to: '00:00' },
        { days: ['tue'], from: '00:00', to: '08:00' },
      ],
    })
    expect(listed({ rotations: [days] }, '2026-03-08T12:00Z', '2026-03-11T12:00Z')).toEqual([
      '2026-03-08T12:00 null -',
      '2026-03-08T23:00 ann primary',
      '2026-03-10T07:00 null -',
    ])
  })

  test('is counted on from a first hand-off long ago', () => {
    const old = rotation({ handoff: 'daily', firstHandoffAt: '2000-01-01T00:00' })
    const days = (at('2026-03-10T00:00Z') - at('2000-01-01T00:00Z')) / 86_400_000
    expect(onCallAt(schedule({ rotations: [old] }), at('2026-03-10T12:00Z')).duty.userId).toBe(
      days % 2 === 0 ? 'ann' : 'ben',
    )
  })
})

describe('hours that a clock skips or shows twice', () => {
  const nightly = (from: string, to: string) =>
    rotation({
      users: ['ann'],
      restrictions: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from, to }],
    })

  test('a time that is skipped is the moment of the jump', () => {
    expect(listed({ rotations: [nightly('02:30', '05:00')] }, '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-28T12:00 null -',
      '2026-03-29T01:00 ann primary',
      '2026-03-29T03:00 null -',
    ])
    const handoff = rotation({ handoff: 'daily', firstHandoffAt: '2026-03-27T02:30' })
    expect(listed({ rotations: [handoff] }, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-28T12:00 ben primary',
      '2026-03-29T01:00 ann primary',
      '2026-03-30T00:30 ben primary',
    ])
  })

  test('a window within the skipped hour does not come', () => {
    expect(listed({ rotations: [nightly('02:10', '02:40')] }, '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-28T12:00 null -',
    ])
  })

  test('of a time that is shown twice the first counts', () => {
    expect(listed({ rotations: [nightly('01:00', '02:30')] }, '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual([
      '2026-10-24T12:00 null -',
      '2026-10-24T23:00 ann primary',
      '2026-10-25T00:30 null -',
    ])
  })

  test('a day that a zone skipped is no turn of its own', () => {
    const zone = { timezone: 'Pacific/Apia', firstHandoffAt: '2011-12-28T00:00' }
    const samoa = rotation({ ...zone, handoff: 'daily', users: ['ann', 'ben', 'cid'] })
    expect(listed({ rotations: [samoa] }, '2011-12-29T12:00Z', '2012-01-01T00:00Z')).toEqual([
      '2011-12-29T12:00 ben primary',
      '2011-12-30T10:00 ann primary',
      '2011-12-31T10:00 ben primary',
    ])
  })
})

describe('layers', () => {
  const span = { from: at('2026-03-09T00:00Z'), to: at('2026-03-12T00:00Z') }

  test('the first rotation that has a person on duty decides', () => {
    const office = rotation({
      id: 'office',
      users: ['dan'],
      restrictions: [{ days: ['tue'], from: '09:00', to: '17:00' }],
    })
    const given = { rotations: [office, rotation({ users: ['ann'] })] }
    expect(listed(given, '2026-03-10T00:00Z', '2026-03-11T00:00Z')).toEqual([
      '2026-03-10T00:00 ann primary',
      '2026-03-10T08:00 dan office',
      '2026-03-10T16:00 ann primary',
    ])
  })

  test('an override decides over rotations, and fills a gap', () => {
    expect(listed({ overrides: [override({})] }, '2026-03-09T00:00Z', '2026-03-12T00:00Z')).toEqual([
      '2026-03-09T00:00 ann primary',
      '2026-03-09T08:00 ben primary',
      '2026-03-10T00:00 cid override',
      '2026-03-11T00:00 ben primary',
    ])
    expect(asText(dutiesOf(schedule({ rotations: [], overrides: [override({})] }), span.from, span.to))).toEqual([
      '2026-03-09T00:00 null -',
      '2026-03-10T00:00 cid override',
      '2026-03-11T00:00 null -',
    ])
  })

  test('an override that replaces a person counts only while that person would be on duty', () => {
    const given = override({ replacesUserId: 'ben', startsAt: at('2026-03-09T00:00Z') })
    expect(listed({ overrides: [given] }, '2026-03-09T00:00Z', '2026-03-12T00:00Z')).toEqual([
      '2026-03-09T00:00 ann primary',
      '2026-03-09T08:00 cid override',
      '2026-03-11T00:00 ben primary',
    ])
  })

  test('of several overrides the newest decides, also over the person that an older one put on duty', () => {
    const overrides = [override({}), override({ id: 'newer', userId: 'dan', replacesUserId: 'cid' })]
    expect(listed({ overrides }, '2026-03-10T00:00Z', '2026-03-11T00:00Z')).toEqual(['2026-03-10T00:00 dan newer'])
  })
})

describe('who is on call at an instant', () => {
  test('names the layer, the end and the next person', () => {
    expect(onCallAt(schedule(), at('2026-03-10T12:00Z'))).toEqual({
      duty: {
        from: at('2026-03-10T12:00Z'),
        to: at('2026-03-16T08:00Z'),
        userId: 'ben',
        layer: { source: 'rotation', id: 'primary' },
      },
      until: at('2026-03-16T08:00Z'),
      next: expect.objectContaining({ userId: 'ann', from: at('2026-03-16T08:00Z') }),
    })
  })

  test('has no end and no next person where nothing changes within the horizon', () => {
    const { duty, until, next } = onCallAt(schedule({ rotations: [rotation({ users: ['ann'] })] }), at('2026-03-10'))
    expect({ userId: duty.userId, until, next }).toEqual({ userId: 'ann', until: null, next: null })
    expect(onCallAt(schedule({ rotations: [] }), at('2026-03-10'))).toMatchObject({
      duty: { userId: null, layer: null },
      until: null,
      next: null,
    })
  })

  test('in a gap, answers its end and the person who comes then', () => {
    const office = rotation({ users: ['ann'], restrictions: [{ days: ['mon'], from: '09:00', to: '17:00' }] })
    expect(onCallAt(schedule({ rotations: [office] }), at('2026-03-10T12:00Z'))).toMatchObject({
      duty: { userId: null },
      until: at('2026-03-16T08:00Z'),
      next: { userId: 'ann' },
    })
  })
})
