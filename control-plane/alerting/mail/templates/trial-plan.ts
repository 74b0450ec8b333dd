import { asRecord, type Scope } from '#control-plane/alerting/mail/content.ts'

/** `after`: the name of the plan that follows a trial, as the reseller calls it; null: the free plan. */
export const deriveAfter =
  (field: 'plan' | 'plan_after_trial') =>
  (data: Scope): { after: unknown } => {
    const plan = data[field]
    if (typeof plan !== 'string' || plan === 'free') return { after: null }
    return { after: asRecord(asRecord(data.brand).plan_labels)[plan] ?? plan }
  }
