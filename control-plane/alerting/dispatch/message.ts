import { stamp } from '#contract/time.ts'
import type { Message } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { Row } from '#control-plane/db/queries.ts'

/** A managed team as messages to its reseller show it. */
export type ManagedTenant = Row<'managed_teams', 'name' | 'label' | 'public_id' | 'external_ref' | 'metadata'> & {
  managed_tenant_id: Row<'managed_teams'>['tenant_id']
}

/** The serialisation of the specification: top-level keys in order, slashes not escaped. */
export function serialise(payload: Record<string, unknown>): string {
  const members = Object.keys(payload)
    .filter(name => payload[name] !== undefined)
    .sort()
    .map(name => `${JSON.stringify(name)}:${JSON.stringify(payload[name])}`)
  return `{${members.join(',')}}`
}

interface Composed {
  event: string
  at: Date
  payload: Record<string, unknown>
  managedTenant?: ManagedTenant | undefined
}

export function composeMessage({ event, at, payload, managedTenant }: Composed): Message {
  const whole = { ...payload, event, timestamp: stamp(at), ...(managedTenant && { _managed_tenant: managedTenant }) }
  return { event, payload: whole, text: serialise(whole) }
}

/** A message from its stored text. */
export function readMessage(text: string): Message {
  const payload: Record<string, unknown> = JSON.parse(text)
  return { event: String(payload.event), payload, text }
}
