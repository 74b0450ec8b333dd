import type { Interval, Price, PriceList } from '#contract/billing.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid, Refusal } from '#control-plane/base/refusal.ts'

/** The price of a plan, or a 422 on the field that has none. */
export function findPrice(prices: PriceList, plan: string, interval: Interval): Price {
  if (prices.length === 0)
    throw new Refusal(422, 'billing_not_set', 'The operator of this service offers no plans for payment.')
  const ofPlan = prices.filter(price => price.plan === plan)
  if (ofPlan.length === 0) throw invalid({ plan: ['This plan is not offered.'] })
  const price = ofPlan.find(each => each.interval === interval)
  if (!price)
    throw invalid({
      interval: [new Sentence('This plan is offered by the {interval} only.', { interval: ofPlan[0]!.interval })],
    })
  return price
}
