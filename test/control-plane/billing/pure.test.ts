import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PriceList } from '#contract/billing.ts'
import { amountFor, amountsOf, creditOf, endOf } from '#control-plane/billing/amounts.ts'
import { isAtOnce, isUpgrade } from '#control-plane/billing/direction.ts'
import { nextDue } from '#control-plane/billing/next-due.ts'
import { planInForce } from '#control-plane/billing/plan-in-force.ts'
import { encodeForm } from '#control-plane/billing/stripe/api.ts'
import { collectionOf, isNewerInvoice, orderOf } from '#control-plane/billing/stripe/merge.ts'
import { isSignedByStripe } from '#control-plane/billing/stripe/signature.ts'

const dayMs = 86_400_000
const start = new Date('2026-01-31T10:00:00Z')
const inDays = (days: number) => new Date(start.getTime() + days * dayMs)

describe('the plan in force', () => {
  const owing = { collection: 'past_due', plan: 'pro', past_due_since: start } as const

  test('keeps the plan for fourteen days after a payment failed, and not a millisecond longer', () => {
    expect(planInForce(owing, start, dayMs)).toEqual({ status: 'past_due', plan: 'pro', grace_ends_at: inDays(14) })
    expect(planInForce(owing, new Date(inDays(14).getTime() - 1), dayMs).plan).toBe('pro')
    expect(planInForce(owing, inDays(14), dayMs)).toMatchObject({ status: 'canceled', plan: 'free' })
  })

  test('is in grace while no further attempt is made to collect', () => {
    expect(planInForce({ ...owing, collection: 'unpaid' }, inDays(1), dayMs).status).toBe('grace')
  })

  test('has the paid plan again as soon as it is paid, also after the grace period', () => {
    const paid = { collection: 'active', plan: 'pro', past_due_since: null } as const
    expect(planInForce(paid, inDays(400), dayMs)).toEqual({ status: 'active', plan: 'pro', grace_ends_at: null })
  })

  test.each(['none', 'canceled'] as const)('is free when it is %s', collection => {
    expect(planInForce({ collection, plan: 'pro', past_due_since: null }, start, dayMs).plan).toBe('free')
  })
})

describe('amounts', () => {
  test('credit never more than was paid, nothing after the end, and less as time goes on', () => {
    fc.assert(
      fc.property(
        fc.nat(99_999_999),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(500),
        fc.nat(500),
        (paid, days, a, b) => {
          const period = { start, end: inDays(days) }
          const [early, late] = [Math.min(a, b), Math.max(a, b)].map(day => creditOf(paid, period, inDays(day)))
          expect(early).toBeGreaterThanOrEqual(late ?? 0)
          expect(early).toBeLessThanOrEqual(paid)
          expect(late).toBeGreaterThanOrEqual(0)
          if (Math.max(a, b) >= days) expect(late).toBe(0)
        },
      ),
    )
  })

  test('credit half of a half-used period, rounded down', () => {
    expect(creditOf(1_901, { start, end: inDays(30) }, inDays(15))).toBe(950)
  })

  test('are never negative, and round tax to the nearest minor unit', () => {
    expect(amountsOf([{ amount: 1_000 }, { amount: -1_500 }], 19)).toEqual({ subtotal: 0, tax: 0, total: 0 })
    expect(amountsOf([{ amount: 1_903 }], 19)).toEqual({ subtotal: 1_903, tax: 362, total: 2_265 })
    expect(amountsOf([{ amount: 250 }], 7.7)).toEqual({ subtotal: 250, tax: 19, total: 269 })
  })

  test('are refused beyond what one invoice can name', () => {
    expect(amountFor({ amount: 10_000_000, per_seat: true }, 9)).toBe(90_000_000)
    expect(() => amountFor({ amount: 10_000_000, per_seat: true }, 10)).toThrow()
    expect(amountFor({ amount: 10_000_000, per_seat: false }, 10)).toBe(10_000_000)
  })

  test('are for intervals of the calendar: a day that the month lacks is its last', () => {
    expect(endOf(start, 'month').toISOString()).toBe('2026-02-28T10:00:00.000Z')
    expect(endOf(new Date('2028-02-29T00:00:00Z'), 'year').toISOString()).toBe('2029-02-28T00:00:00.000Z')
    expect(endOf(new Date('2026-12-15T00:00:00Z'), 'month').toISOString()).toBe('2027-01-15T00:00:00.000Z')
  })
})

describe('the direction of a change', () => {
  const starter = { plan: 'starter', interval: 'month' } as const
  test('is up for a higher plan and for a year, and takes effect at once only then', () => {
    expect(isUpgrade(starter, { plan: 'pro', interval: 'month' })).toBe(true)
    expect(isUpgrade(starter, { plan: 'starter', interval: 'year' })).toBe(true)
    expect(isUpgrade(starter, { plan: 'hobby', interval: 'year' })).toBe(false)
    expect(isAtOnce(starter, { plan: 'pro', interval: 'month' }, undefined)).toBe(true)
    expect(isAtOnce(starter, { plan: 'hobby', interval: 'month' }, undefined)).toBe(false)
    expect(isAtOnce(starter, { plan: 'hobby', interval: 'month' }, 'now')).toBe(true)
    expect(() => isAtOnce(starter, starter, 'now')).toThrow()
  })
})

describe('what is due next', () => {
  const row = {
    provider: 'manual',
    collection: 'active',
    status: 'active',
    plan: 'pro',
    interval: 'month',
    current_period_end: inDays(30),
    pending_plan: null,
    pending_at: null,
    grace_ends_at: null,
    grace_reminded_at: null,
    invoiced_from: start,
  } as const

  test('is the invoice a week before the end of a month, then the end', () => {
    expect(nextDue(row, dayMs)).toEqual(inDays(23))
    expect(nextDue({ ...row, invoiced_from: inDays(30) }, dayMs)).toEqual(inDays(30))
  })

  test('is no invoice where the subscription ends', () => {
    expect(nextDue({ ...row, pending_plan: 'free', pending_at: inDays(30) }, dayMs)).toEqual(inDays(30))
  })

  test('is the reminder three days before the grace period ends, then its end', () => {
    const owing = { ...row, collection: 'past_due', status: 'past_due', grace_ends_at: inDays(14) } as const
    expect(nextDue(owing, dayMs)).toEqual(inDays(11))
    expect(nextDue({ ...owing, grace_reminded_at: inDays(11) }, dayMs)).toEqual(inDays(14))
  })

  test('is nothing where Stripe keeps the time', () => {
    expect(nextDue({ ...row, provider: 'stripe' }, dayMs)).toBeNull()
  })
})

describe('the order of events', () => {
  const known = { id: 'sub_b', createdS: 100, seenS: 200, collection: 'active' } as const

  test('lets only a newer state of a subscription replace an older one', () => {
    expect(orderOf(null, known)).toBe('newer')
    expect(orderOf(known, { ...known, seenS: 201 })).toBe('newer')
    expect(orderOf(known, { ...known, seenS: 199 })).toBe('stale')
    expect(orderOf(known, known)).toBe('doubt')
  })

  test('lets the subscription that was created later count, unless it was never paid', () => {
    const later = { id: 'sub_a', createdS: 101, seenS: 150, collection: 'active' } as const
    expect(orderOf(known, later)).toBe('newer')
    expect(orderOf(later, { ...known, seenS: 900 })).toBe('stale')
    expect(orderOf(known, { ...later, collection: 'none' })).toBe('stale')
    expect(orderOf({ ...later, collection: 'none' }, known)).toBe('newer')
  })

  test('never takes an invoice back', () => {
    const paid = { status: 'paid', attempts: 1, seenS: 10 } as const
    expect(isNewerInvoice(paid, { status: 'open', attempts: 2, seenS: 20 })).toBe(false)
    expect(isNewerInvoice({ ...paid, status: 'uncollectible' }, paid)).toBe(true)
    expect(isNewerInvoice({ ...paid, status: 'open' }, { status: 'open', attempts: 2, seenS: 5 })).toBe(true)
  })

  test('keeps a subscription that ended for want of a payment apart from one that was canceled', () => {
    expect(collectionOf({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } })).toBe('unpaid')
    expect(collectionOf({ status: 'canceled', cancellation_details: null })).toBe('canceled')
    expect(collectionOf({ status: 'incomplete', cancellation_details: null })).toBe('none')
  })
})

describe('the signature of Stripe', () => {
  const content = Buffer.from('{"id":"evt_1"}')
  const nowMs = Date.parse('2026-01-15T08:30:00Z')
  const nowS = nowMs / 1_000
  const sign = (secret: string, t = nowS, body = content) =>
    createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const isGood = (header: string | null, secrets = ['whsec_a'], body = content) =>
    isSignedByStripe(header, body, secrets, nowMs)

  test('is one of several by one of several secrets', () => {
    expect(isGood(`t=${nowS},v1=${sign('whsec_a')}`)).toBe(true)
    expect(isGood(`t=${nowS},v1=${sign('whsec_old')},v1=${sign('whsec_a')},v0=abc`)).toBe(true)
    expect(isGood(`t=${nowS},v1=${sign('whsec_b')}`, ['whsec_a', 'whsec_b'])).toBe(true)
  })

  test.each([300, -300])('is valid %s seconds from our clock, and no further', offset => {
    const t = nowS + offset
    expect(isGood(`t=${t},v1=${sign('whsec_a', t)}`)).toBe(true)
    const further = t + Math.sign(offset)
    expect(isGood(`t=${further},v1=${sign('whsec_a', further)}`)).toBe(false)
  })

  test('is refused for another body, secret, time, scheme or shape', () => {
    const good = sign('whsec_a')
    expect(isGood(`t=${nowS},v1=${good}`, ['whsec_a'], Buffer.from('{"id":"evt_2"}'))).toBe(false)
    expect(isGood(`t=${nowS},v1=${sign('whsec_b')}`)).toBe(false)
    expect(isGood(`t=${nowS - 1},v1=${good}`)).toBe(false)
    expect(isGood(`t=${nowS},v0=${good}`)).toBe(false)
    expect(isGood(`t=${nowS},t=${nowS},v1=${good}`)).toBe(false)
    expect(isGood(`t=${nowS},v1=${good}`, [])).toBe(false)
    for (const header of [null, '', 'v1', `v1=${good}`, `t=,v1=${good}`, `t=NaN,v1=${good}`, `t=${nowS},v1=${good}0`])
      expect(isGood(header), String(header)).toBe(false)
  })
})

test('a form for Stripe has nested names in brackets', () => {
  const form = { mode: 'subscription', items: [{ id: 'si_1', price: undefined }, { quantity: 2 }], a: { b: true } }
  expect(decodeURIComponent(encodeForm(form).toString())).toBe(
    'mode=subscription&items[0][id]=si_1&items[1][quantity]=2&a[b]=true',
  )
})

describe('a list of prices', () => {
  const price = { plan: 'pro', interval: 'month', currency: 'eur', amount: 0 }
  test.each([
    ['a plan twice', [price, price]],
    ['two currencies', [price, { ...price, plan: 'hobby', currency: 'usd' }]],
    ['the free plan', [{ ...price, plan: 'free' }]],
    ['a negative amount', [{ ...price, amount: -1 }]],
    ['an amount above ten million', [{ ...price, amount: 10_000_001 }]],
    ['an unknown field', [{ ...price, amuont: 1 }]],
  ])('is refused with %s', (_, list) => {
    expect(PriceList.safeParse(list).success).toBe(false)
  })
})
