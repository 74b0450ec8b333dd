import { z } from 'zod'
import { addressHashes } from '#control-plane/base/address-hash.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { among, queries, type Row, rows, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { tooMany } from '#control-plane/http/rate.ts'
import { accepted } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { takeQuestions } from '#control-plane/tenancy/plans/mail-questions.ts'
import { type Language, languages } from '#locales/languages.ts'
import { addressMessages, addressOf, type SubscriberChannel, Subscription } from './address.ts'
import { findPublicPage, refuseStrangers } from './public-page.ts'
import { hasPlace } from './quota.ts'
import { askSubscribers, insertSubscribers } from './store.ts'

/** Subscriptions to one page in a minute, from all visitors together. */
export const pageLimit = 120

/** What a visitor of a page asks for. */
export interface Wish {
  channel: SubscriberChannel
  address: string
  /** None: all of the page. */
  componentIds: readonly string[]
  /** Of the page unless given. */
  locale?: Language | undefined
  ip: string
  password?: string | undefined
  /** Has shown the password of the page on the page itself, or has signed in there. */
  isAdmitted?: boolean
}

/** Asks an address whether it wants the updates of a page. No answer reveals whether the address was known. */
export async function subscribeVisitor(services: Services, slug: string, wish: Wish, now: Date): Promise<void> {
  const { platform, config, guard, rate, clock } = services
  const page = await findPublicPage(platform, slug)
  const counted = await rate.count(`subscribe:page:${page.id}`, pageLimit, clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
  const { channel, locale = page.locale } = wish
  const address = addressOf(channel, wish.address)
  if (address === null || (channel !== 'email' && guard.refuseUrl(address) !== null))
    throw invalid({ address: [addressMessages[channel]] })
  await refuseStrangers(page, { ...wish, address })
  const isRoom = await inTransaction(platform, async db => {
    const componentIds = [...new Set(wish.componentIds)]
    const components = queries(db).selectFrom('status_page_components').where('page_id', '=', page.id)
    const named = await components.where('id', '=', among(componentIds)).select(total).executeTakeFirstOrThrow()
    if (named.total !== componentIds.length)
      throw invalid({ component_ids: ['Names a component that this page does not have.'] })
    if (!(await hasPlace(db, page.tenant_id, now))) return false
    const into = {
      tenantId: page.tenant_id,
      pageId: page.id,
      source: 'self',
      isConfirmed: false,
      admittedAsOf: page.access_changed_at,
    } as const
    const added = await insertSubscribers(db, config, into, [{ channel, address, componentIds, locale }])
    const asking = { tenantId: page.tenant_id, askedBy: 'visitor', addresses: [address] } as const
    const taken = await takeQuestions({ platform, config, db }, asking)
    if (!taken.isWithin) return false
    if (taken.mayAsk.size === 0) return true
    const known =
      added.length > 0
        ? added
        : await rows(db)<Row<'status_page_subscribers', 'id'>>`
          select id from status_page_subscribers where page_id = ${page.id} and channel = ${channel}
          and address_hash = any(${addressHashes(config, address)}::bytea[])`
    const ids = known.map(({ id }) => id)
    await rows(db)`update status_page_subscribers
      set admitted_as_of = greatest(admitted_as_of, ${page.access_changed_at}::timestamptz)
      where id = ${among(ids)}`
    await askSubscribers(db, ids, { isLimited: true })
    return true
  })
  if (!isRoom) throw invalid({ address: ['This page takes no more subscribers at present.'] }, 'subscribers_full')
}

export const subscribe = endpoint({
  method: 'POST',
  path: '/status/{slug}/subscribe',
  operation: 'statusPages.subscribe',
  summary: 'Subscribe to a status page',
  description:
    'The address is asked to confirm: by a mail with a link, by a message with a link in the channel of Slack, a ' +
    'webhook by a challenge that its answer must repeat. Without that it gets nothing, and is deleted after seven ' +
    'days. The answer is the same whether the address is known or not. An address is asked a few times a week at ' +
    'most. Of a private page only those subscribe who may see it, and only they get its updates.',
  tag: 'status-pages',
  access: 'public',
  rate: 'subscribe',
  detached: true,
  acceptsForms: true,
  named: { slug: z.string().regex(/^[a-z0-9-]{3,63}$/, 'Must be the address of a status page.') },
  body: z.object({
    ...Subscription,
    locale: z.enum(languages).optional().meta({ description: 'Of the page unless given.' }),
    password: z.string().max(1_000).optional().meta({ description: 'Of a page with a password.' }),
  }),
  returns: accepted({ message: z.string() }),

  async handle({ params, body, services, ip, now }) {
    const { channel, address, component_ids: componentIds, locale, password } = body
    await subscribeVisitor(services, params.slug, { channel, address, componentIds, locale, password, ip }, now)
    return { message: 'Thank you. Confirm the subscription by the message that is on its way.' }
  },
})
