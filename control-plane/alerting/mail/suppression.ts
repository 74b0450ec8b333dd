import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import type { ManagedTeam, RuleBook } from '#control-plane/alerting/dispatch/rule-book.ts'

export interface Suppression {
  team: ManagedTeam
  /** The reseller’s webhooks that hear of it instead. */
  channels: Channel[]
}

/**
 * Whether a mail of this type is not sent to people of this tenant, and who hears of it instead: only where its reseller suppresses the type
 * and has an enabled webhook with a rule for this very event and this team. null: it is sent as usual.
 */
export async function suppressedFor(book: RuleBook, tenantId: string, type: string): Promise<Suppression | null> {
  const team = await book.teamOf(tenantId)
  if (team === null || team.isDeleted) return null
  const [types, rules] = await Promise.all([book.suppressedBy(team.resellerId), book.rulesOf(team.resellerId)])
  if (!types.has(type)) return null
  const told = rules.match(`email.${type}`, { monitorId: null, teams: [{ tenantId, label: team.label }] })
  const channels = [...told.keys()].filter(channel => channel.type === 'webhook')
  return channels.length > 0 ? { team, channels } : null
}
