import { describe, expect, test } from 'vitest'
import {
  nextAfter,
  nextOccurrence,
  refuseSchedule,
  type Schedule,
} from '#control-plane/monitoring/maintenance-windows/occurrences.ts'

const schedule = (changes: Partial<Schedule> = {}): Schedule => ({
  starts_at: '2026-11-29T02:00:00',
  timezone: 'Europe/Berlin',
  duration_minutes: 60,
  rrule: null,
  until: null,
  ...changes,
})

const startAfter = (changes: Partial<Schedule>, from: string) =>
  nextOccurrence(schedule(changes), new Date(from))?.startsAt.toISOString() ?? null

/** Starts from a moment on, each searched after the one before, as the stored next occurrence moves. */
function starts(changes: Partial<Schedule>, from: string, count: number): (string | null)[] {
  const found: (string | null)[] = []
  for (let after = new Date(from); found.length < count; ) {
    const next = nextOccurrence(schedule(changes), after)
    found.push(next?.startsAt.toISOString() ?? null)
    if (!next) break
    after = new Date(next.startsAt.getTime() + 1)
  }
  return found
}

describe('a window that takes place once', () => {
  test('begins at its local time and lasts its duration', () => {
    expect(nextOccurrence(schedule(), new Date('2026-01-01T00:00:00Z'))).toEqual({
      startsAt: new Date('2026-11-29T01:00:00Z'),
      endsAt: new Date('2026-11-29T02:00:00Z'),
    })
  })

  test('has no occurrence after its start', () => {
    expect(startAfter({}, '2026-11-29T01:00:00Z')).toBe('2026-11-29T01:00:00.000Z')
    expect(startAfter({}, '2026-11-29T01:00:00.001Z')).toBeNull()
  })

  test('that has begun and not ended is found until its last millisecond', () => {
    const at = (moment: string) => nextAfter(schedule(), null, new Date(moment), false).occurrence
    expect(at('2026-11-29T01:59:59.999Z')).not.toBeNull()
    expect(at('2026-11-29T02:00:00Z')).toBeNull()
  })
})

/** Zones of both hemispheres; in Lord Howe the clocks change by half an hour. */
const changes = [
  {
    timezone: 'Europe/Berlin',
    skipped: '2026-03-29T02:30:00',
    instead: '2026-03-29T01:30:00.000Z',
    around: ['2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    twice: '2026-10-25T02:30:00',
    first: '2026-10-25T00:30:00.000Z',
    after: '2026-10-26T01:30:00.000Z',
  },
  {
    timezone: 'America/New_York',
    skipped: '2026-03-08T02:30:00',
    instead: '2026-03-08T07:30:00.000Z',
    around: ['2026-03-07T07:30:00.000Z', '2026-03-09T06:30:00.000Z'],
    twice: '2026-11-01T01:30:00',
    first: '2026-11-01T05:30:00.000Z',
    after: '2026-11-02T06:30:00.000Z',
  },
  {
    timezone: 'Australia/Lord_Howe',
    skipped: '2026-10-04T02:15:00',
    instead: '2026-10-03T15:45:00.000Z',
    around: ['2026-10-02T15:45:00.000Z', '2026-10-04T15:15:00.000Z'],
    twice: '2026-04-05T01:45:00',
    first: '2026-04-04T14:45:00.000Z',
    after: '2026-04-05T15:15:00.000Z',
  },
]

const dayBefore = (local: string) => {
  const day = new Date(`${local}Z`)
  day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 19)
}

const dayAfter = (moment: string) => new Date(Date.parse(moment) + 86_400_000).toISOString()

describe.each(changes)(
  'when the clocks change in $timezone',
  ({ timezone, skipped, instead, around, twice, first, after }) => {
    test('a start that does not exist is moved by the change', () => {
      expect(startAfter({ timezone, starts_at: skipped }, '2026-01-01T00:00:00Z')).toBe(instead)
    })

    test('a first start that does not exist moves alone, and the series keeps its local time', () => {
      const next = dayAfter(around[1]!)
      expect(starts({ timezone, starts_at: skipped, rrule: 'FREQ=DAILY' }, '2026-01-01T00:00:00Z', 3)).toEqual([
        instead,
        around[1],
        next,
      ])
      const counted = { timezone, starts_at: skipped, rrule: 'FREQ=DAILY;COUNT=2' }
      expect(starts(counted, '2026-01-01T00:00:00Z', 9)).toEqual([instead, around[1], null])
      const ended = { timezone, starts_at: skipped, rrule: `FREQ=DAILY;UNTIL=${around[1]!.replace(/[-:]|\.000/g, '')}` }
      expect(starts(ended, '2026-01-01T00:00:00Z', 9)).toEqual([instead, around[1], null])
      expect(startAfter({ timezone, starts_at: skipped, rrule: 'FREQ=DAILY' }, instead)).toBe(instead)
    })

    test('a repeated start that does not exist is left out, and the next one is at its local time', () => {
      expect(
        starts({ timezone, starts_at: dayBefore(skipped), rrule: 'FREQ=DAILY' }, '2026-01-01T00:00:00Z', 2),
      ).toEqual(around)
    })

    test('a start that happens twice is the first of the two', () => {
      expect(startAfter({ timezone, starts_at: twice }, '2026-01-01T00:00:00Z')).toBe(first)
    })

    test('a repeated start that happens twice takes place once', () => {
      expect(starts({ timezone, starts_at: twice, rrule: 'FREQ=DAILY' }, '2026-01-01T00:00:00Z', 2)).toEqual([
        first,
        after,
      ])
      const from = new Date(new Date(first).getTime() + 1).toISOString()
      expect(startAfter({ timezone, starts_at: dayBefore(twice), rrule: 'FREQ=DAILY' }, from)).toBe(after)
    })
  },
)

describe('a window that recurs', () => {
  test('keeps its local time over the change of the clocks', () => {
    expect(
      starts({ starts_at: '2026-10-18T03:00:00', rrule: 'FREQ=WEEKLY;BYDAY=SU' }, '2026-10-01T00:00:00Z', 3),
    ).toEqual(['2026-10-18T01:00:00.000Z', '2026-10-25T02:00:00.000Z', '2026-11-01T02:00:00.000Z'])
  })

  test('lasts its duration in elapsed time where the clocks change within it', () => {
    const night = nextOccurrence(
      schedule({ starts_at: '2026-10-25T01:00:00', duration_minutes: 180 }),
      new Date('2026-10-01T00:00:00Z'),
    )
    expect(night?.endsAt.toISOString()).toBe('2026-10-25T02:00:00.000Z')
  })

  test('ends with its count, with UNTIL of the rule, and with `until`', () => {
    expect(starts({ rrule: 'FREQ=DAILY;COUNT=2' }, '2026-01-01T00:00:00Z', 9)).toHaveLength(3)
    expect(starts({ rrule: 'FREQ=DAILY;UNTIL=20261130T010000Z' }, '2026-01-01T00:00:00Z', 9)).toHaveLength(3)
    expect(starts({ rrule: 'FREQ=DAILY', until: '2026-11-30T02:00:00' }, '2026-01-01T00:00:00Z', 9)).toEqual([
      '2026-11-29T01:00:00.000Z',
      '2026-11-30T01:00:00.000Z',
      null,
    ])
    expect(starts({ rrule: 'FREQ=DAILY', until: '2026-11-30T01:59:59' }, '2026-01-01T00:00:00Z', 9)).toHaveLength(2)
  })

  test('begun twenty years ago is found in a moment', () => {
    const began = performance.now()
    for (const rrule of ['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=SU', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=YEARLY'])
      expect(startAfter({ starts_at: '2006-01-02T02:00:00', rrule }, '2026-11-23T00:00:00Z')).not.toBeNull()
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})

describe('a schedule is refused', () => {
  test('for a zone that does not exist, or an offset', () => {
    for (const timezone of ['Mars/Olympus', '+01:00', ''])
      expect(Object.keys(refuseSchedule(schedule({ timezone }))), timezone).toEqual(['timezone'])
  })

  test.each([
    'nonsense',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYHOUR=3',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=1000',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=501',
    'FREQ=DAILY;BYDAY=XX',
    'FREQ=DAILY;UNTIL=20261299T010000Z',
    'FREQ=WEEKLY;BYMONTHDAY=3',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY\nEXDATE:20261129T020000',
    'freq=daily',
  ])('for the rule %j', rrule => {
    expect(Object.keys(refuseSchedule(schedule({ rrule })))).toEqual(['rrule'])
  })

  test.each(['20261203', '20261203T020000', '2026120'])('for UNTIL=%s, with what is right', until => {
    expect(refuseSchedule(schedule({ rrule: `FREQ=DAILY;UNTIL=${until}` }))).toEqual({
      rrule: ['UNTIL must be in UTC, such as 20261203T020000Z; a local end is set by the field `until`.'],
    })
  })

  test('for an end before the start, and for an end without a rule', () => {
    expect(refuseSchedule(schedule({ rrule: 'FREQ=DAILY', until: '2026-11-29T01:59:59' }))).toHaveProperty('until')
    expect(refuseSchedule(schedule({ rrule: 'FREQ=DAILY', until: '2026-11-29T02:00:00' }))).toEqual({})
    expect(refuseSchedule(schedule({ until: '2026-12-29T02:00:00' }))).toHaveProperty('until')
  })

  test('for occurrences that would overlap, and not when one follows the other', () => {
    const daily = { rrule: 'FREQ=DAILY' }
    expect(refuseSchedule(schedule({ ...daily, duration_minutes: 1_441 }))).toHaveProperty('duration_minutes')
    expect(refuseSchedule(schedule({ ...daily, duration_minutes: 1_440 }))).toEqual({})
  })

  test('never for a rule within all limits', () => {
    for (const rrule of ['FREQ=DAILY;INTERVAL=999', 'FREQ=DAILY;COUNT=500', 'FREQ=MONTHLY;BYDAY=-1FR;WKST=MO'])
      expect(refuseSchedule(schedule({ rrule })), rrule).toEqual({})
  })
})
