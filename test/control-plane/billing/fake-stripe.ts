import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: objects of Stripe as JSON has them
export type Thing = Record<string, any>

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  type: string
  data: { object: Thing }
}

const idOf = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

export const stripeKey = 'sk_test_of_the_fake'
export const signingSecret = 'whsec_of_the_fake'

export const sign = (body: string, t = Math.floor(Date.now() / 1_000), secret = signingSecret) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`

export const event = (type: string, created: number, object: Thing): StripeEvent => ({
  id: idOf('evt'),
  object: 'event',
  api_version: '2024-06-20',
  created,
  type,
  data: { object },
})

/** A subscription as Stripe documents it, shortened. */
export const aSubscription = (customer: string, created: number, changes: Thing = {}): Thing => ({
  id: idOf('sub'),
  object: 'subscription',
  cancel_at_period_end: false,
  cancellation_details: { comment: null, feedback: null, reason: null },
  created,
  currency: 'eur',
  current_period_end: created + 30 * 86_400,
  current_period_start: created,
  customer,
  items: {
    object: 'list',
    data: [{ id: idOf('si'), object: 'subscription_item', price: { id: 'price_starter_month' }, quantity: 1 }],
    has_more: false,
  },
  livemode: false,
  metadata: {},
  schedule: null,
  status: 'active',
  ...changes,
})

/** An invoice as Stripe documents it, shortened. */
export const anInvoice = (customer: string, subscription: string, created: number, changes: Thing = {}): Thing => ({
  id: idOf('in'),
  object: 'invoice',
  amount_due: 1_900,
  amount_paid: 0,
  attempt_count: 0,
  billing_reason: 'subscription_cycle',
  created,
  currency: 'eur',
  customer,
  due_date: null,
  hosted_invoice_url: null,
  lines: {
    object: 'list',
    data: [
      {
        id: idOf('il'),
        amount: 1_900,
        description: '1 × Starter',
        quantity: 1,
        period: { start: created, end: created + 30 * 86_400 },
      },
    ],
  },
  number: null,
  period_end: created,
  period_start: created,
  status: 'draft',
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  subscription,
  subtotal: 1_900,
  tax: null,
  total: 1_900,
  ...changes,
})

interface Answered {
  body: string
  status: number
  json: Thing
}

/** Stripe's API as far as it is used: real HTTP, idempotency keys, its own clock, and failures on demand. */
export class FakeStripe {
  readonly #server: Server
  readonly #answers = new Map<string, Answered>()
  readonly subscriptions = new Map<string, Thing>()
  readonly schedules = new Map<string, Thing>()
  readonly customers = new Map<string, Thing>()
  /** Requests as they came, without those that were answered by an earlier key. */
  readonly calls: { method: string; path: string; form: Record<string, string>; key: string | undefined }[] = []
  /** What the next requests are answered with, in order: a status, or a connection that breaks after the work is done. */
  readonly failures: (number | 'break')[] = []
  /** Changes that are to be paid at once are declined. */
  declinesPayments = false
  /** The clock of Stripe, in seconds; null: as ours. */
  clockS: number | null = null

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<FakeStripe> {
    const server = createServer((request, response) => void fake.#take(request, response))
    const fake = new FakeStripe(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return fake
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get nowS(): number {
    return this.clockS ?? Math.floor(Date.now() / 1_000)
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(resolve))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { status, json } = this.#answer(request, body)
    if (this.failures[0] === 'break') {
      this.failures.shift()
      request.socket.destroy()
      return
    }
    response.setHeader('Date', new Date(this.nowS * 1_000).toUTCString())
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(json))
  }

  #answer({ method = '', url = '', headers }: IncomingMessage, body: string): Answered {
    const problem = (status: number, code: string): Answered => ({
      body,
      status,
      json: { error: { code, type: code } },
    })
    if (headers.authorization !== `Bearer ${stripeKey}`) return problem(401, 'unauthorized')
    if (headers['stripe-version'] !== '2024-06-20') return problem(400, 'version')
    if (typeof this.failures[0] === 'number') return problem(this.failures.shift() as number, 'api_error')
    const key = headers['idempotency-key'] as string | undefined
    if (method === 'POST' && !key) return problem(400, 'idempotency_key_missing')
    const before = key && this.#answers.get(key)
    if (before) return before.body === body ? before : problem(400, 'idempotency_error')
    const form = Object.fromEntries(new URLSearchParams(body))
    this.calls.push({ method, path: url, form, key })
    if (this.declinesPayments && form.proration_behavior === 'always_invoice') return problem(402, 'card_declined')
    const json = this.#act(method, url, form)
    const answer = json ? { body, status: 200, json: structuredClone(json) } : problem(404, 'resource_missing')
    if (key) this.#answers.set(key, answer)
    return answer
  }

  #act(method: string, path: string, form: Record<string, string>): Thing | undefined {
    const [, , collection = '', id = '', verb] = path.split('/')
    const isNew = method === 'POST' && id === ''
    switch (collection) {
      case 'customers': {
        const customer = isNew ? { id: idOf('cus') } : this.customers.get(id)
        if (customer) this.customers.set(customer.id, Object.assign(customer, form))
        return customer
      }
      case 'checkout':
        return { id: idOf('cs'), url: `https://checkout.stripe.test/${form.customer}` }
      case 'billing_portal':
        return { id: idOf('bps'), url: `https://portal.stripe.test/${form.customer}` }
      case 'subscriptions':
        return this.#subscription(method, id, form)
      case 'subscription_schedules':
        return isNew ? this.#schedule(form.from_subscription ?? '') : this.#changeSchedule(method, id, verb, form)
      default:
        return undefined
    }
  }

  #subscription(method: string, id: string, form: Record<string, string>): Thing | undefined {
    const subscription = this.subscriptions.get(id)
    if (!subscription || method === 'GET') return subscription
    if (method === 'DELETE') {
      if (subscription.status === 'canceled') return undefined
      return Object.assign(subscription, { status: 'canceled', schedule: null })
    }
    if (form.cancel_at_period_end) subscription.cancel_at_period_end = form.cancel_at_period_end === 'true'
    if (form['items[0][price]']) {
      const item = subscription.items.data[0]
      if (form['items[0][id]'] !== item.id) return undefined
      item.price = { id: form['items[0][price]'] }
      item.quantity = Number(form['items[0][quantity]'] ?? 1)
    }
    return subscription
  }

  #schedule(of: string): Thing | undefined {
    const subscription = this.subscriptions.get(of)
    if (!subscription || subscription.schedule) return undefined
    const item = subscription.items.data[0]
    const schedule = {
      id: idOf('sub_sched'),
      status: 'active',
      phases: [
        {
          start_date: subscription.current_period_start,
          end_date: subscription.current_period_end,
          items: [{ price: item.price.id, quantity: item.quantity }],
        },
      ],
      of,
    }
    subscription.schedule = schedule.id
    this.schedules.set(schedule.id, schedule)
    return schedule
  }

  #changeSchedule(method: string, id: string, verb: string | undefined, form: Record<string, string>) {
    const schedule = this.schedules.get(id)
    if (!schedule || method === 'GET') return schedule
    const subscription = this.subscriptions.get(schedule.of)
    if (verb === 'release') {
      if (subscription) subscription.schedule = null
      return Object.assign(schedule, { status: 'released' })
    }
    const end = Number(form['phases[0][end_date]'])
    schedule.phases = [
      schedule.phases[0],
      {
        start_date: end,
        end_date: end + 30 * 86_400,
        items: [{ price: form['phases[1][items][0][price]'], quantity: Number(form['phases[1][items][0][quantity]']) }],
      },
    ]
    return schedule
  }
}
