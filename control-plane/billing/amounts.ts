import { type Interval, maxAmount, type Price } from '#contract/billing.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { InvoiceLine } from '#control-plane/db/model/shapes.ts'

export interface Amounts {
  subtotal: number
  tax: number
  total: number
}

interface Period {
  start: Date
  end: Date
}

/** What is credited of a period that ends before its time: the share of the amount that is left, rounded down. */
export function creditOf(amount: number, { start, end }: Period, now: Date): number {
  const whole = end.getTime() - start.getTime()
  const left = Math.min(whole, Math.max(0, end.getTime() - now.getTime()))
  return whole <= 0 ? 0 : Number((BigInt(amount) * BigInt(left)) / BigInt(whole))
}

/** The sums of an invoice, never below nothing. Tax is rounded to the nearest minor unit, a half upwards. */
export function amountsOf(lines: readonly Pick<InvoiceLine, 'amount'>[], taxPercent: number): Amounts {
  const sum = lines.reduce((all, { amount }) => all + amount, 0)
  const subtotal = Math.max(0, sum)
  const tax = Math.floor((subtotal * Math.round(taxPercent * 1_000) + 50_000) / 100_000)
  return { subtotal, tax, total: subtotal + tax }
}

/** The amount of an interval for so many seats. */
export function amountFor({ amount, per_seat }: Pick<Price, 'amount' | 'per_seat'>, seats: number): number {
  const sum = amount * (per_seat ? seats : 1)
  if (sum > maxAmount) throw invalid({ plan: ['The amount for this many members is too large for one invoice.'] })
  return sum
}

/** The end of an interval by the calendar in UTC. A day that the month lacks becomes its last day. */
export function endOf(start: Date, interval: Interval): Date {
  const months = interval === 'year' ? 12 : 1
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months)
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), last))
  return end
}
