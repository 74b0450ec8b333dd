import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { isPersonal } from '#contract/events.ts'
import { closeBody } from '#control-plane/alerting/deliveries/body.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import type { DeliveryWorker } from '#control-plane/alerting/deliveries/delivery-worker.ts'
import { type Added, addDeliveries, type NewDelivery } from '#control-plane/alerting/deliveries/store.ts'
import { suppressedFor } from '#control-plane/alerting/mail/suppression.ts'
import {
  type Audience,
  eventsMatched,
  type Plan,
  planNotifications,
  type Recipient,
} from '#control-plane/alerting/plan/plan.ts'
import { type NewDecisions, storeDecisions, storedDecision } from '#control-plane/alerting/plan/store.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import { activeSpan } from '#control-plane/base/tracing.ts'
import type { OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { composeMessage, type ManagedTenant } from './message.ts'
import type { ManagedTeam, RuleBook } from './rule-book.ts'
import type { Member, Monitor, RulesOfTenant, Team } from './rules-of-tenant.ts'

interface RouterDeps {
  platform: Pool
  book: RuleBook
  deliveryWorker: Pick<DeliveryWorker, 'take' | 'recheck'>
  config: Keyring
}

/** A mail that is about to be sent. */
export interface Mail {
  /** The id of its outbox row, null if it has none: the same row is diverted once. */
  id: string | null
  tenantId: string
  type: string
  recipient: MailRecipient
  /** The data of its template, and the name of the brand. */
  templateData: Record<string, unknown>
  createdAt: Date
}

const pace = { atOnce: 1, largest: 500 }

/** Routes events to the channels of their tenant and of the reseller that manages it, as their rules say. */
export class EventRouter {
  readonly #deps: RouterDeps
  readonly #adding: Batch<NewDelivery, Added | undefined>
  readonly #storing: Batch<NewDecisions, undefined>
  readonly #reading: Batch<string, Monitor | undefined>
  readonly #calling: Batch<string, Channel | undefined>

  constructor(deps: RouterDeps) {
    const { platform } = deps
    this.#deps = deps
    this.#adding = new Batch(rows => addDeliveries(platform, rows), pace)
    this.#storing = new Batch(rows => storeDecisions(platform, rows), pace)
    this.#reading = new Batch(ids => monitorsOf(platform, ids), pace)
    this.#calling = new Batch(ids => contactsOf(platform, ids), pace)
  }

  async route(event: OutboxEvent): Promise<void> {
    const { book, platform } = this.#deps
    // events of mails go to the reseller alone, through `divert`
    if (event.name.startsWith('email.')) return
    const team = await book.teamOf(event.tenantId)
    const [own, resellers] = await Promise.all([
      book.rulesOf(event.tenantId),
      isManaging(team) ? book.rulesOf(team.resellerId) : undefined,
    ])
    const incidentId = incidentIdOf(event)
    if (incidentId !== null || own.wants(event.name) || resellers?.wants(event.name)) {
      const recipients: Recipient[] = [{ audience: 'team', rules: own, teams: await teamsIn(book, event) }]
      if (resellers && isManaging(team))
        recipients.push({
          audience: 'reseller',
          rules: resellers,
          teams: [{ tenantId: event.tenantId, label: team.label }],
        })
      const { name, suppression } = event
      const calledChannels = calledBy(event)
      const plan = planNotifications({
        event: {
          name,
          monitorId: monitorIdOf(event),
          suppression,
          calledChannels,
          ...(await this.#membersOf(event, recipients)),
        },
        monitor: await this.#monitorOf(event, recipients),
        recipients,
      })
      await Promise.all([
        this.#notify(event, recipients, plan, isManaging(team) ? team : null),
        this.#callPeople(event, own, calledChannels),
        incidentId !== null &&
          Promise.all(decisionsOf(event, incidentId, recipients, plan, team).map(row => this.#storing.add(row))),
      ])
    }
    if (isPersonal(event.name)) await platform.query(`update outbox set payload = '{}' where id = $1`, [event.id])
  }

  /** Sends a mail that the reseller suppresses to its webhooks. Returns false if the mail is to be sent as usual. */
  async divert({ id, tenantId, type, recipient, templateData, createdAt }: Mail): Promise<boolean> {
    const suppression = await suppressedFor(this.#deps.book, tenantId, type)
    if (!suppression) return false
    const managedTenant = tenantIn(suppression.team)
    const payload = { email_type: type, recipient: mailPayload(recipient, {}).recipient, template_data: templateData }
    const as = `email.${type}`
    const body = composeMessage({ event: as, at: createdAt, payload, managedTenant }).text
    const managedTenantId = managedTenant.managed_tenant_id
    await Promise.all(
      suppression.channels.map(channel =>
        this.#deliver(id, channel, { as, body, monitorId: null, subject: recipient.email, managedTenantId }),
      ),
    )
    return true
  }

  /** The monitor with its tags and type, if a rule filters by them. undefined also where it was deleted. */
  async #monitorOf(event: OutboxEvent, recipients: readonly Recipient[]): Promise<Monitor | undefined> {
    const id = monitorIdOf(event)
    const names = eventsMatched(event)
    return id === null || !recipients.some(({ rules }) => names.some(name => rules.asksForMonitor(name)))
      ? undefined
      : this.#reading.add(id)
  }

  /** The monitors of a storm of one host. */
  async #membersOf(event: OutboxEvent, recipients: readonly Recipient[]): Promise<{ members?: Member[] }> {
    const { host, monitor_ids: ids } = event.payload
    if (typeof host !== 'string' || !Array.isArray(ids)) return {}
    const isFiltered = recipients.some(({ rules }) => rules.asksForMonitor(event.name))
    const members = ids.flatMap(value => idIn(value) ?? [])
    return {
      members: await Promise.all(
        members.map(async id => ({ id, monitor: isFiltered ? await this.#reading.add(id) : undefined })),
      ),
    }
  }

  async #notify(
    event: OutboxEvent,
    recipients: readonly Recipient[],
    { notifications }: Plan,
    team: ManagedTeam | null,
  ): Promise<void> {
    const monitorId = monitorIdOf(event)
    const bodies = new Map<string, string>()
    await Promise.all(
      notifications.map(async ({ audience, channel, as }) => {
        const managedTenant = audience === 'reseller' && team ? tenantIn(team) : undefined
        const body =
          bodies.get(`${audience} ${as}`) ??
          composeMessage({ event: as, at: event.createdAt, payload: event.payload, managedTenant }).text
        bodies.set(`${audience} ${as}`, body)
        const managedTenantId = managedTenant?.managed_tenant_id ?? null
        const subject = monitorId ?? idIn(event.payload.storm_id) ?? managedTenantId ?? teamIdOf(recipients, audience)
        await this.#deliver(event.id, channel, { as, body, monitorId, subject, managedTenantId })
      }),
    )
  }

  /** Notifies people whom a step of an escalation policy calls: their contact methods are no channels of the team. */
  async #callPeople(event: OutboxEvent, own: RulesOfTenant, called: ReadonlySet<string>): Promise<void> {
    const ids = [...called].filter(id => !own.channels.has(id))
    if (ids.length === 0) return
    const { name: as, payload, createdAt: at } = event
    const body = composeMessage({ event: as, at, payload }).text
    const monitorId = monitorIdOf(event)
    await Promise.all(
      ids.map(async id => {
        const channel = await this.#calling.add(id)
        if (channel?.tenantId === event.tenantId)
          await this.#deliver(event.id, channel, { as, body, monitorId, subject: monitorId, managedTenantId: null })
      }),
    )
  }

  async #deliver(
    eventId: string | null,
    channel: Channel,
    {
      as,
      body,
      monitorId,
      subject,
      managedTenantId,
    }: { as: string; body: string; monitorId: string | null; subject: string | null; managedTenantId: string | null },
  ): Promise<void> {
    const id = randomUUID()
    const claimedAt = performance.now()
    const added = await this.#adding.add({
      id,
      channel_id: channel.id,
      tenant_id: channel.tenantId,
      event_id: eventId,
      event: as,
      managed_tenant_id: managedTenantId,
      monitor_id: monitorId,
      // the subject of a diverted mail is an address, which is not stored
      subject: idIn(subject),
      body: closeBody(this.#deps.config, { id, event: as, body }),
    })
    if (added === 'held') this.#deps.deliveryWorker.recheck(id)
    if (added === 'pending')
      this.#deps.deliveryWorker.take({
        ...{ id, channel, event: as, body, subject, attempts: 0, claimedAt },
        traceparent: activeSpan()?.traceparent,
      })
  }
}

const isManaging = (team: ManagedTeam | null): team is ManagedTeam => team !== null && !team.isDeleted

function tenantIn({ resellerId: _, isDeleted: __, ...managedTenant }: ManagedTeam): ManagedTenant {
  return managedTenant
}

const teamIdOf = (recipients: readonly Recipient[], audience: Audience): string | null =>
  recipients.find(each => each.audience === audience)?.teams[0]?.tenantId ?? null

/** The decisions to store: a row for the channels of the team, and one for those of the reseller that manages it. */
function decisionsOf(
  { id, tenantId, name, suppression, createdAt }: OutboxEvent,
  incidentId: string,
  recipients: readonly Recipient[],
  { decisions }: Plan,
  team: ManagedTeam | null,
): NewDecisions[] {
  return recipients.map(({ audience }) => ({
    tenant_id: tenantId,
    reseller_id: audience === 'reseller' && team ? team.resellerId : null,
    incident_id: incidentId,
    event_id: id,
    event: name,
    stage: suppression?.stage ?? (name === 'incident.created' ? 'begun' : 'followed'),
    emitted_at: createdAt,
    channels: decisions.filter(each => each.audience === audience).map(storedDecision),
  }))
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const idIn = (value: unknown): string | null => (typeof value === 'string' && uuid.test(value) ? value : null)
const monitorIdOf = ({ payload }: OutboxEvent) => idIn(payload.monitor_id)
const incidentIdOf = ({ name, payload }: OutboxEvent) =>
  name.startsWith('incident.') ? idIn(payload.incident_id) : null

/** The channels that a step of an escalation policy calls. */
const calledBy = ({ name, payload }: OutboxEvent): ReadonlySet<string> =>
  new Set(name === 'incident.escalated' && Array.isArray(payload.channel_ids) ? payload.channel_ids.map(String) : [])

/** Contact methods by their ids. */
async function contactsOf(platform: Pool, ids: readonly string[]): Promise<(Channel | undefined)[]> {
  const { rows } = await platform.query<Channel>({
    name: 'alerting-contacts',
    text: `select id, tenant_id as "tenantId", type, config, secrets from notification_channels
      where id = any($1::uuid[]) and owner_user_id is not null and is_enabled`,
    values: [ids],
  })
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => byId.get(id))
}

async function monitorsOf(platform: Pool, ids: readonly string[]): Promise<(Monitor | undefined)[]> {
  // prepared: it runs for every batch of events that a rule limits to certain monitors
  const { rows } = await platform.query<Monitor>({
    name: 'alerting-monitors',
    text: 'select id, tags, type from monitors where id = any($1::uuid[])',
    values: [ids],
  })
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => byId.get(id))
}

/** The managed teams that an event of a reseller is about. */
async function teamsIn(book: RuleBook, { payload }: OutboxEvent): Promise<Team[]> {
  const named = Array.isArray(payload.teams)
    ? payload.teams.map(team => idIn(team?.managed_tenant_id))
    : [idIn(payload.tenant_id)]
  const found = await Promise.all(
    named
      .filter(id => id !== null)
      .map(async tenantId => ({ tenantId, label: (await book.teamOf(tenantId))?.label ?? null })),
  )
  return found
}
