import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { Refusal, unavailable } from '#control-plane/base/refusal.ts'
import type { Services } from '#control-plane/http/services.ts'

/** The version of Stripe's API whose shapes are expected in answers. */
export const apiVersion = '2024-06-20'

const attempts = 3
const pauseMs = 250
const wholeMs = 10_000

export type Form = { [field: string]: string | number | boolean | Form | Form[] | undefined }

/** An answer, and the moment of Stripe's clock at which it was true, in seconds. */
export interface Fetched<Body> {
  body: Body
  seenS: number
}

type StripeServices = Pick<Services, 'config' | 'guard' | 'log'>

/** A form as Stripe reads it: `items[0][price]=…`. */
export function encodeForm(form: Form, prefix = ''): URLSearchParams {
  const encoded = new URLSearchParams()
  const add = (name: string, value: Form[string]): void => {
    if (value === undefined) return
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) addAll(each, `${name}[${index}]`)
    } else if (typeof value === 'object') addAll(value, name)
    else encoded.append(name, String(value))
  }
  const addAll = (fields: Form, within: string) => {
    for (const [name, value] of Object.entries(fields)) add(within ? `${within}[${name}]` : name, value)
  }
  addAll(form, prefix)
  return encoded
}

/** Reads an object of Stripe. */
export const getStripe = <Body>(services: StripeServices, path: string, schema: z.ZodType<Body>) =>
  call(services, { method: 'GET', path, body: null, headers: {} }, schema)

/**
 * Changes something at Stripe. `purpose` names the change: the same change with the same form is made once, however
 * often it is sent. A declined payment is a 422, an unavailable Stripe a 503.
 */
export const postStripe = <Body>(
  services: StripeServices,
  path: string,
  form: Form,
  purpose: string,
  schema: z.ZodType<Body>,
) => {
  const body = encodeForm(form).toString()
  const key = hash('sha256', `${purpose}\0${path}\0${body}`, 'base64url')
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': `vedette-${key}` }
  return call(services, { method: 'POST', path, body, headers }, schema)
}

/** Deletes something at Stripe. What is deleted already is a 503. */
export const deleteStripe = <Body>(services: StripeServices, path: string, schema: z.ZodType<Body>) =>
  call(services, { method: 'DELETE', path, body: null, headers: {} }, schema)

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body: string | null
  headers: Record<string, string>
}

async function call<Body>(services: StripeServices, given: Call, schema: z.ZodType<Body>): Promise<Fetched<Body>> {
  const signal = AbortSignal.timeout(wholeMs)
  for (let attempt = 1; ; attempt++) {
    const answer = await send(services, given, signal).catch((error: unknown) => {
      services.log.warn({ err: error, path: given.path, attempt }, 'Stripe request failure')
      return null
    })
    if (answer && answer.status < 300) return { body: schema.parse(answer.body), seenS: answer.seenS }
    const isWorthAnother = !answer || answer.status === 409 || answer.status === 429 || answer.status >= 500
    if (!isWorthAnother) throw refusalOf(services, given, answer)
    if (attempt === attempts || signal.aborted)
      throw unavailable('The payment provider does not answer. Send the request again.', 5)
    await sleep(pauseMs * 2 ** attempt * (0.5 + Math.random()))
  }
}

interface Answer {
  status: number
  body: unknown
  seenS: number
}

async function send({ config, guard }: StripeServices, { method, path, body, headers }: Call, signal: AbortSignal) {
  const { stripe } = config.billing ?? {}
  if (!stripe) throw new Error('Stripe is not configured.')
  const { origin, pathname } = new URL(stripe.apiUrl)
  const response = await guard.dispatcher().request({
    origin,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    method,
    headers: {
      Authorization: `Bearer ${stripe.apiKey}`,
      'Stripe-Version': apiVersion,
      'User-Agent': 'Vedette',
      ...headers,
    },
    body,
    signal,
  })
  const text = await response.body.text()
  const seenMs = Date.parse(String(response.headers.date ?? ''))
  const seenS = Math.floor((Number.isNaN(seenMs) ? Date.now() : seenMs) / 1_000)
  const answer: Answer = { status: response.statusCode, body: parse(text), seenS }
  return answer
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Stripe's own words may name our account: only its codes are logged, and none is shown. */
function refusalOf({ log }: StripeServices, { path }: Call, { status, body }: Answer): Refusal {
  const { error = {} } = (body ?? {}) as { error?: { type?: unknown; code?: unknown } }
  if (status === 402)
    return new Refusal(422, 'payment_failed', 'The payment was declined. Check the means of payment and try again.')
  log.error({ path, status, type: String(error.type), code: String(error.code) }, 'Stripe refusal')
  return unavailable('The payment provider did not accept the request. Contact the operator if it lasts.', 60)
}
