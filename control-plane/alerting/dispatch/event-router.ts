import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { isPersonal } from '#contract/events.ts'
import { alertKeyOf, phaseOf } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import { mailOf } from '#control-plane/alerting/channels/kinds/email.ts'
import { encryptBody } from '#control-plane/alerting/deliveries/body.ts'
import type { Channel, DivertibleMail } from '#control-plane/alerting/deliveries/delivery.ts'
import type { DeliveryWorker } from '#control-plane/alerting/deliveries/delivery-worker.ts'
import {
  type Added,
  addDeliveries,
  forgetOpened,
  type NewDelivery,
  type Opened,
  readOpened,
} from '#control-plane/alerting/deliveries/store.ts'
import { suppressedFor } from '#control-plane/alerting/mail/suppression.ts'
import { detailsUrl } from '#control-plane/alerting/notifications/links.ts'
import {
  type Audience,
  eventsMatched,
  type Follower,
  type Plan,
  planNotifications,
  type Recipient,
} from '#control-plane/alerting/plan/plan.ts'
import {
  type NewDecisions,
  type Opening,
  readOpenings,
  storeDecisions,
  storedDecision,
} from '#control-plane/alerting/plan/store.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { activeSpan } from '#control-plane/base/tracing.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'
import { mailPayload } from '#control-plane/outbox/unit-of-work.ts'
import { composeMessage, type ManagedTenant } from './message.ts'
import type { ManagedTeam, RuleBook } from './rule-book.ts'
import type { Member, Monitor, RulesOfTenant, Team } from './rules-of-tenant.ts'

interface RouterDeps {
  platform: Pool
  book: RuleBook
  deliveryWorker: Pick<DeliveryWorker, 'take' | 'recheck'>
  config: Keyring & { baseUrl: string }
}

const pace = { atOnce: 1, largest: 500 }

/** Routes events to the channels of their tenant and of the reseller that manages it, as their rules say. */
export class EventRouter {
  readonly #deps: RouterDeps
  readonly #adding: Batch<NewDelivery, Added | undefined>
  readonly #storing: Batch<NewDecisions, undefined>
  readonly #reading: Batch<string, Monitor | undefined>
  readonly #calling: Batch<string, Contact | undefined>
  readonly #following: Batch<string, Opening[]>
  readonly #ending: Batch<string, Opened[]>

  constructor(deps: RouterDeps) {
    const { platform } = deps
    this.#deps = deps
    this.#adding = new Batch(rows => addDeliveries(platform, rows), pace)
    this.#storing = new Batch(rows => storeDecisions(platform, rows), pace)
    this.#reading = new Batch(ids => monitorsOf(platform, ids), pace)
    this.#calling = new Batch(ids => contactsOf(platform, ids), pace)
    this.#following = new Batch(ids => readOpenings(platform, ids), pace)
    this.#ending = new Batch(alerts => readOpened(platform, alerts), pace)
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
    const openings = await this.#openingsOf(event)
    if (incidentId !== null || openings.length > 0 || own.wants(event.name) || resellers?.wants(event.name)) {
      const recipients: Recipient[] = [
        {
          audience: 'team',
          rules: own,
          teams: await teamsIn(book, event),
          followers: followersOf(event, openings, null),
        },
      ]
      if (resellers && isManaging(team))
        recipients.push({
          audience: 'reseller',
          rules: resellers,
          teams: [{ tenantId: event.tenantId, label: team.label }],
          followers: followersOf(event, openings, team.resellerId),
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
        this.#callPeople(event, own, plan),
        incidentId !== null &&
          Promise.all(decisionsOf(event, incidentId, recipients, plan, team).map(row => this.#storing.add(row))),
      ])
      if (incidentId === null && openings.length > 0) await forgetOpened(platform, keyOf(event))
    }
    if (isPersonal(event.name)) await rows(platform)`update outbox set payload = '{}' where id = ${event.id}`
  }

  /**
   * Sends a mail that the reseller suppresses to its webhooks, and returns those deliveries: the mail has arrived when
   * one of them has. Returns false if it is to be sent as usual.
   */
  async divert({ id, tenantId, type, recipient, templateData, createdAt }: DivertibleMail): Promise<string[] | false> {
    const suppression = await suppressedFor(this.#deps.book, tenantId, type)
    if (!suppression) return false
    const managedTenant = tenantIn(suppression.team)
    const payload = { email_type: type, recipient: mailPayload(recipient, {}).recipient, template_data: templateData }
    const as = `email.${type}`
    const body = composeMessage({ event: as, at: createdAt, payload, managedTenant }).text
    const managedTenantId = managedTenant.managed_tenant_id
    const handedTo = await Promise.all(
      suppression.channels.map(channel =>
        this.#deliver(id, channel, { as, body, monitorId: null, subject: recipient.email, managedTenantId }),
      ),
    )
    return handedTo.flatMap(delivery => delivery ?? [])
  }

  /** Of what follows the beginning of an alert: the channels that were notified of it and are to be notified. */
  async #openingsOf(event: OutboxEvent): Promise<Opening[]> {
    const incidentId = incidentIdOf(event)
    if (incidentId !== null) return isFollowing(event) ? this.#following.add(incidentId) : []
    if (phaseOf(event.name) !== 'resolved') return []
    const opened = await this.#ending.add(keyOf(event))
    return opened.map(({ tenant_id, channel_id }) => ({
      reseller_id: tenant_id === event.tenantId ? null : tenant_id,
      channel_id,
      ends_as: event.name,
    }))
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
    { notifications, decisions }: Plan,
    team: ManagedTeam | null,
  ): Promise<void> {
    const monitorId = monitorIdOf(event)
    // the decisions about an incident are stored, and say it there
    const ended = incidentIdOf(event) === null ? decisions.filter(({ endsAs }) => endsAs !== null) : []
    const isEnded = new Set(ended.map(({ audience, channel }) => `${audience} ${channel.id}`))
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
        const opens = isEnded.has(`${audience} ${channel.id}`) ? keyOf(event) : null
        await this.#deliver(event.id, channel, { as, body, monitorId, subject, managedTenantId, opens })
      }),
    )
  }

  /**
   * Notifies people whom a step of an escalation policy calls, and those whom it called of what follows: their contact
   * methods are no channels of the team. Of what follows, an address that a channel of the team mails is left out, and
   * who acknowledged the incident; a person none of whose called contact methods is left is mailed.
   */
  async #callPeople(event: OutboxEvent, own: RulesOfTenant, plan: Plan): Promise<void> {
    const called = event.suppression?.called
    const ids = [...(called?.channels ?? []), ...calledBy(event)].filter(id => !own.channels.has(id))
    if (ids.length === 0 && (called?.users ?? []).length === 0) return
    const contacts = (await Promise.all(ids.map(id => this.#calling.add(id)))).filter(each => each !== undefined)
    const { name: as, payload, createdAt: at } = event
    const message = composeMessage({ event: as, at, payload })
    const monitorId = monitorIdOf(event)
    const mailed = new Set(
      called
        ? plan.notifications.flatMap(({ audience, channel }) => (audience === 'team' ? mailedBy(channel) : []))
        : [],
    )
    const takenBy = as === 'incident.acknowledged' ? (called?.taken_by ?? null) : null
    const reached = contacts.filter(contact => {
      if (contact.tenantId !== event.tenantId) return false
      if (!called) return true
      // an alert that a service keeps of an incident is acknowledged there as well
      if (contact.userId === takenBy && contact.type !== 'pagerduty' && contact.type !== 'custom') return false
      const addresses = mailedBy(contact)
      const isNew = contact.type !== 'email' || addresses.some(address => !mailed.has(address))
      for (const address of addresses) mailed.add(address)
      return isNew
    })
    const sent = { as, body: message.text, monitorId, subject: monitorId, managedTenantId: null }
    await Promise.all(reached.map(channel => this.#deliver(event.id, channel, sent)))
    const isReached = new Set(contacts.map(({ userId }) => userId))
    const unreached = Object.values(called?.people ?? {}).filter(id => !isReached.has(id))
    if (!called || called.users.length + unreached.length === 0) return
    const { type, data } = mailOf(message, { details_url: detailsUrl(this.#deps.config, message) })
    await rows(this.#deps.platform, mailCalled(event.id, type, JSON.stringify(data), [...mailed], takenBy, unreached))
  }

  /** Returns the id of the delivery; undefined if it was written before, or the channel is gone. */
  async #deliver(
    eventId: string | null,
    channel: Channel,
    {
      as,
      body,
      monitorId,
      subject,
      managedTenantId,
      opens = null,
    }: {
      as: string
      body: string
      monitorId: string | null
      subject: string | null
      managedTenantId: string | null
      /** The alert that it opens, where the channel is to be notified of the end. */
      opens?: string | null
    },
  ): Promise<string | undefined> {
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
      opens,
      body: encryptBody(this.#deps.config, { id, event: as, body }),
    })
    if (added === 'held') this.#deps.deliveryWorker.recheck(id)
    if (added === 'pending')
      this.#deps.deliveryWorker.take({
        ...{ id, channel, event: as, body, subject, attempts: 0, claimedAt },
        traceparent: activeSpan()?.traceparent,
      })
    return added && id
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

/** The alert that an event opens or ends. */
const keyOf = ({ id, name, payload }: OutboxEvent) => alertKeyOf({ event: name, payload }, id)

/** Whether an event says what became of an incident that was open. */
const isFollowing = ({ name }: OutboxEvent) => name === 'incident.resolved' || name === 'incident.acknowledged'

/** Of what follows: the channels that were notified of the beginning, of the team or of a reseller. */
function followersOf(
  { name, suppression }: OutboxEvent,
  openings: readonly Opening[],
  resellerId: string | null,
): ReadonlyMap<string, Follower> {
  const called = resellerId === null ? (suppression?.called?.channels ?? []) : []
  const isCalled = new Set(called)
  const followers = new Map<string, Follower>(called.map(id => [id, { as: name, isCalled: true }]))
  for (const { reseller_id, channel_id, channel_type, ends_as } of openings) {
    if (reseller_id !== resellerId) continue
    if (phaseOf(name) === 'resolved') followers.set(channel_id, { as: ends_as, isCalled: isCalled.has(channel_id) })
    else if (channel_type && isNotifiedOfAcknowledgements(channel_type) && !isCalled.has(channel_id))
      followers.set(channel_id, { as: name, isCalled: false })
  }
  return followers
}

/**
 * Whether a channel that a rule notified of the beginning is notified of who took it: pagers and chats. A webhook gets
 * the events that its rules name, and a mail to a whole list would only be noise.
 */
const isNotifiedOfAcknowledgements = (type: string): boolean => type !== 'webhook' && type !== 'email'

const StoredRecipients = z.object({ recipients: z.array(z.string()) })
/** The addresses, in lower case, that an e-mail channel mails; none for other channels. */
const mailedBy = ({ type, config }: Pick<Channel, 'type' | 'config'>): string[] =>
  type === 'email' ? (StoredRecipients.safeParse(config).data?.recipients ?? []).map(each => each.toLowerCase()) : []

// an event that is routed again mails none of them twice
const mailCalled = prepared(
  'alerting-mail-called',
  (
    event: string,
    type: string,
    data: string,
    mailed: readonly string[],
    takenBy: string | null,
    unreached: readonly string[],
  ) => sql`
  with event as (
    select id, tenant_id, suppression #> '{called,users}' as users, suppression #> '{called,people}' as people
    from outbox where id = ${event} for update
  ), taken as (
    update outbox o
    set suppression = jsonb_set(jsonb_set(o.suppression, '{called,users}', '[]'), '{called,people}', '{}')
    from event e where o.id = e.id returning e.tenant_id, e.users, e.people
  ), mailed as (
    ${insertMailsSql({
      tenant: 't.tenant_id',
      typeSql: sql`${type}::text`,
      dataSql: sql`${data}::jsonb`,
      from: sql`from taken t cross join lateral (
          select id from jsonb_array_elements_text(t.users) as c(id)
          union select value from jsonb_each_text(t.people) where value = any(${unreached}::text[])
        ) as c(user_id)
        join users u on u.id = c.user_id::uuid
        join memberships m on m.user_id = u.id and m.tenant_id = t.tenant_id and m.disabled_at is null
        where not u.is_service and u.email_verified_at is not null and lower(u.email) <> all(${mailed}::text[])
          and u.id is distinct from ${takenBy}::uuid order by u.id`,
    })}
  )
  select count(*)::int as n from mailed`,
)

/** The channels that a step of an escalation policy calls. */
const calledBy = ({ name, payload }: OutboxEvent): ReadonlySet<string> =>
  new Set(name === 'incident.escalated' && Array.isArray(payload.channel_ids) ? payload.channel_ids.map(String) : [])

/** A contact method, and the person whose it is. */
type Contact = Channel & { userId: string }

/** Contact methods of members by their ids. */
async function contactsOf(platform: Pool, ids: readonly string[]): Promise<(Contact | undefined)[]> {
  const found = await rows(platform, alertingContacts(ids))
  const byId = new Map(found.map(row => [row.id, row]))
  return ids.map(id => byId.get(id))
}

async function monitorsOf(platform: Pool, ids: readonly string[]): Promise<(Monitor | undefined)[]> {
  // prepared: it runs for every batch of events that a rule limits to certain monitors
  const found = await rows(platform, alertingMonitors(ids))
  const byId = new Map(found.map(row => [row.id, row]))
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

const alertingContacts = prepared(
  'alerting-contacts',
  (ids: readonly string[]) => sql<Contact>`
    select c.id, c.tenant_id as "tenantId", c.owner_user_id as "userId", c.type, c.config, c.secrets
    from notification_channels c
    join memberships m on m.user_id = c.owner_user_id and m.tenant_id = c.tenant_id and m.disabled_at is null
    where c.id = any(${ids}::uuid[]) and c.is_enabled`,
)

const alertingMonitors = prepared(
  'alerting-monitors',
  (ids: readonly string[]) => sql<Monitor>`select id, tags, type from monitors where id = any(${ids}::uuid[])`,
)
