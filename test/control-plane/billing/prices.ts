import { type PriceList, PriceList as Schema } from '#contract/billing.ts'

/** Three plans, by month and by year. */
export const testPrices: PriceList = Schema.parse([
  { plan: 'hobby', interval: 'month', currency: 'EUR', amount: 900, stripe_price: 'price_hobby_month' },
  { plan: 'starter', interval: 'month', currency: 'EUR', amount: 1_900, stripe_price: 'price_starter_month' },
  { plan: 'starter', interval: 'year', currency: 'EUR', amount: 19_000, stripe_price: 'price_starter_year' },
  {
    plan: 'pro',
    interval: 'month',
    currency: 'EUR',
    amount: 4_900,
    tax_percent: 19,
    stripe_price: 'price_pro_month',
  },
])
