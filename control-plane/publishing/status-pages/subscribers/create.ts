import { z } from 'zod'
import { addressHashes } from '#control-plane/base/address-hash.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { languages } from '#locales/languages.ts'
import { addressMessages, addressOf, Subscription } from './address.ts'
import { findPage, mayWrite, SubscriberView, selectSubscribers, validateComponents, viewSubscriber } from './row.ts'
import { askAdded, countConfirmed, insertSubscribers } from './store.ts'

export const createSubscriber = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/subscribers',
  summary: 'Add a subscriber to a status page',
  description:
    'The address is asked to confirm and gets no update before. With `confirmed` it is not asked: the team answers ' +
    'for its consent, and the audit log says who did. A webhook is asked by a challenge that it must repeat in its ' +
    'answer. One who unsubscribed can only subscribe again without the team. The plan limits the subscribers that a ' +
    'team adds, and how many addresses are asked in 24 hours (`GET /mail-budget`).',
  access: mayWrite,
  body: z.object({ ...Subscription, locale: z.enum(languages).optional(), confirmed: z.boolean().default(false) }),
  returns: created({ data: SubscriberView }),

  async handle(context) {
    const { em, tenant, params, body, services, audit } = context
    const page = await findPage(em, tenant, params.status_page)
    const { channel, component_ids: componentIds, locale = page.locale, confirmed } = body
    const address = addressOf(channel, body.address)
    if (address === null || (channel !== 'email' && services.guard.refuseUrl(address) !== null))
      throw invalid({ address: [addressMessages[channel]] })
    await validateComponents(em, page.id, componentIds)
    await reserveQuota(context, 'subscribers', 1)
    const into = { tenantId: tenant.id, pageId: page.id, source: 'admin', isConfirmed: confirmed } as const
    const wanted = [{ channel, address, componentIds, locale }]
    const added = await insertSubscribers(em, services.config, into, wanted)
    const [subscriber] = added
    if (!subscriber) throw await whyNot(context, page.id, channel, address)
    const { id } = subscriber
    await (confirmed ? countConfirmed(context, added) : askAdded(context, added))
    // the audit log cannot delete, so it gets no address
    audit(
      'status_page.subscriber_added',
      { type: 'status_page', id: page.id },
      { subscriber_id: id, channel, confirmed },
    )
    const row = await selectSubscribers(em, tenant, page.id).where('s.id', '=', id).executeTakeFirstOrThrow()
    return { data: viewSubscriber(row, services.config) }
  },
})

async function whyNot(
  {
    em,
    services,
  }: Pick<Parameters<typeof reserveQuota>[0], 'em'> & { services: { config: Parameters<typeof addressHashes>[0] } },
  pageId: string,
  channel: string,
  address: string,
) {
  const [row] = await rows(em)<Row<'status_page_subscribers', 'state'>>`
    select state from status_page_subscribers where page_id = ${pageId} and channel = ${channel}
     and address_hash = any(${addressHashes(services.config, address)}::bytea[])`
  return row?.state === 'unsubscribed'
    ? invalid({ address: ['Has unsubscribed, and can only subscribe again without the team.'] }, 'unsubscribed')
    : invalid({ address: ['Is a subscriber of this page already.'] }, 'taken')
}
