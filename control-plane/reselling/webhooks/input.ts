import { z } from 'zod'
import { line } from '#contract/line.ts'
import { secretDescription } from '#control-plane/alerting/channels/kinds/webhook-secret.ts'
import { EventTypes, TenantFilter } from '#control-plane/alerting/rules/input.ts'
import { Refusal } from '#control-plane/base/refusal.ts'

const fields = {
  name: line(255),
  url: z.string().min(1).max(2_000),
  secret: z.string().max(255).nullable().meta({ description: secretDescription }),
  events: EventTypes,
  tenant_filter: TenantFilter.nullable(),
  is_enabled: z.boolean(),
}
export const NewWebhook = z.object({
  ...fields,
  secret: fields.secret.default(null),
  tenant_filter: fields.tenant_filter.default(null),
  is_enabled: fields.is_enabled.default(true),
})
export const WebhookChanges = z.object(fields).partial()

/** The names of webhook fields by those of the channel and the rule. */
const ownNames: Record<string, string> = { 'config.url': 'url', 'config.secret': 'secret', event_types: 'events' }

export async function underOwnNames<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal) || !error.errors) throw error
    const errors = Object.fromEntries(
      Object.entries(error.errors).map(([path, reasons]) => [ownNames[path] ?? path, reasons]),
    )
    throw new Refusal(error.status, error.code, error.text, {
      errors,
      headers: error.headers,
      details: error.details,
    })
  }
}
