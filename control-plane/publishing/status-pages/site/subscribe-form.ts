import { Refusal } from '#control-plane/base/refusal.ts'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import type { SubscriptionProblem } from '#control-plane/publishing/status-pages/render/problems.ts'
import { type SubscriptionValues, takesUrls } from '#control-plane/publishing/status-pages/render/subscribe.ts'
import { channelOf } from '#control-plane/publishing/status-pages/subscribers/address.ts'
import type { Wish } from '#control-plane/publishing/status-pages/subscribers/subscribe.ts'

/** Bytes of a form with the address of a webhook, escaped, and all components that a page has. */
export const longestSubscription = 32_768

export function subscriptionValues(form: URLSearchParams): SubscriptionValues {
  const text = (name: string) => (form.get(name) ?? '').trim()
  return { email: text('email'), url: text('url'), components: new Set(form.getAll('component')) }
}

/** Where a visitor subscribes, and to what; or what is wrong with it. */
export function wishOf(
  { email, url, components }: SubscriptionValues,
  model: PageModel,
): Pick<Wish, 'channel' | 'address' | 'componentIds'> | SubscriptionProblem {
  const known = new Set(model.groups.flatMap(group => group.components.map(({ id }) => id)))
  if (email !== '' && url !== '') return 'both'
  if (email === '' && url === '') return 'empty'
  if (url !== '' && !takesUrls(model)) return 'private'
  const channel = url === '' ? 'email' : channelOf(url)
  if (url !== '' && channel === 'email') return 'url'
  if ([...components].some(id => !known.has(id))) return 'components'
  return { channel, address: email || url, componentIds: [...components] }
}

/** The problem of a subscription that was declined; null: there is no such page. */
export function problemOf(error: unknown, { url }: SubscriptionValues): SubscriptionProblem | null {
  if (!(error instanceof Refusal)) return 'unavailable'
  switch (error.code) {
    case 'not_found':
      return null
    case 'rate_limited':
      return 'slow'
    case 'page_private':
      return 'private'
    case 'subscribers_full':
      return 'full'
    case 'invalid':
      return error.errors?.component_ids ? 'components' : url === '' ? 'email' : 'url'
    default:
      return 'unavailable'
  }
}
