import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import type { ManagedTeam, RuleBook } from '#control-plane/alerting/dispatch/rule-book.ts'

export interface Suppression {
  team: ManagedTeam
  /** The reseller’s webhooks that get the mail instead. */
  channels: Channel[]
}

/**
 * The webhooks that get mails of this type to people of this tenant instead: those of a reseller that suppresses the
 * type and has an enabled webhook with a rule for the event and the team. null: the mail is sent as usual. A reseller
 * goes on suppressing mails of a team in the trash.
 */
export async function suppressedFor(book: RuleBook, tenantId: string, type: string): Promise<Suppression | null> {
  const team = await book.teamOf(tenantId)
  if (team === null) return null
  const [types, rules] = await Promise.all([book.suppressedBy(team.resellerId), book.rulesOf(team.resellerId)])
  if (!types.has(type)) return null
  const matches = rules.match(`email.${type}`, { monitorId: null, teams: [{ tenantId, label: team.label }] })
  const channels = [...matches.keys()].filter(channel => channel.type === 'webhook')
  return channels.length > 0 ? { team, channels } : null
}
