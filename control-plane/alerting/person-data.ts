import { sql } from 'kysely'
import { stamp } from '#control-plane/db/queries.ts'
import {
  type Erase,
  type ErasureValues,
  inReach,
  type Place,
  replaces,
  written,
} from '#control-plane/identity/person-data/places.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const others = (it: ErasureValues) => sql`
  select coalesce(jsonb_agg(r.address order by r.place), '[]')
  from jsonb_array_elements(c.config -> 'recipients') with ordinality as r(address, place)
  where lower(r.address #>> '{}') <> lower(${it.email})`

/**
 * Takes the address of an erased person out of all e-mail channels but the person's own. Where it was the last one, the
 * channel is disabled, and the administrators of the team are mailed: it stays what rules and policies name.
 */
const leave: Erase = it => sql`
  with left_channels as (
    update notification_channels c set config = jsonb_set(c.config, '{recipients}', (${others(it)})),
      is_enabled = c.is_enabled and (${others(it)}) <> '[]', updated_at = clock_timestamp()
    where c.type = 'email' and c.owner_user_id is distinct from ${it.id}::uuid
      and (${it.reach}::uuid[] is null or c.tenant_id = any(${it.reach}::uuid[]))
      and exists (select 1 from jsonb_array_elements_text(c.config -> 'recipients') r
        where lower(r) = lower(${it.email}))
    returning c.tenant_id, c.name, c.owner_user_id, c.config
  ), mailed as (
    ${insertMailsSql<'channel_recipients_lost'>({
      tenant: 't.id',
      type: 'channel_recipients_lost',
      data: { team_name: 't.name', channel_name: 'l.name' },
      from: sql`from left_channels l join tenants t on t.id = l.tenant_id and t.deleted_at is null
        join memberships m on m.tenant_id = t.id and m.disabled_at is null and m.user_id <> ${it.id}::uuid
          and case when l.owner_user_id is null then m.role in ('owner', 'admin') else m.user_id = l.owner_user_id end
        join users u on u.id = m.user_id and not u.is_service
        where l.config -> 'recipients' = '[]' order by u.id`,
    })}
  )
  select count(*)::int as n from left_channels`

/** Data of people in the tables of this module. */
export const alertingPlaces: readonly Place[] = [
  {
    table: 'mail_recipients',
    texts: ['email'],
    exports: {
      mail_recipients: id => sql`select q.tenant_id, q.email, ${stamp('q.confirmed_at')} as confirmed_at,
        ${stamp('q.unsubscribed_at')} as unsubscribed_at, ${stamp('q.refused_at')} as refused_at
        from mail_recipients q join users u on u.email = q.email and u.email_verified_at is not null
        where u.id = ${id}::uuid order by q.created_at desc`,
    },
    erases: [
      it => sql`delete from mail_recipients where email = ${it.email}::citext and ${inReach(it)}`,
      // addresses that only contact methods of the person name, which are deleted with the memberships
      it => sql`delete from mail_recipients q using notification_channels c
       where c.owner_user_id = ${it.id}::uuid and c.type = 'email' and q.tenant_id = c.tenant_id
         and c.config -> 'recipients' ? q.email::text
         and not exists (
           select 1 from notification_channels o
           where o.tenant_id = q.tenant_id and o.id <> c.id and o.type = 'email'
             and o.config -> 'recipients' ? q.email::text)`,
    ],
  },
  {
    table: 'notification_channels',
    ids: { owner_user_id: 'deleted' },
    texts: ['name', 'config'],
    exports: {
      contact_methods: id => sql`select id, tenant_id, name, type, is_enabled, ${stamp('created_at')} as created_at,
        case when type = 'email' then config -> 'recipients' end as recipients
        from notification_channels where owner_user_id = ${id}::uuid order by notification_channels.created_at desc`,
    },
    // after names are replaced, as its mails name the channel
    erases: [...replaces('notification_channels', ['name']), leave],
  },
  {
    table: 'deliveries',
    texts: ['body', 'log'],
    exports: {
      calls: id => sql`select d.id, d.tenant_id, d.event, d.status, c.name as contact_method,
        ${stamp('d.created_at')} as created_at
        from deliveries d join notification_channels c on c.id = d.channel_id and c.owner_user_id = ${id}::uuid
        order by d.created_at desc`,
    },
    // who acknowledged an incident is named by its event
    erases: [
      it => sql`update deliveries set body = null
       where tenant_id = any(${it.tenants}::uuid[]) and status in ('delivered', 'failed')
         and case when event = 'incident.acknowledged'
           then body::jsonb ->> 'acknowledged_by_name' = ${it.name}::text end`,
    ],
  },
  {
    table: 'escalation_notifications',
    ids: { user_id: 'emptied' },
    texts: ['user_name'],
    exports: {
      escalation_calls:
        id => sql`select n.tenant_id, n.run_id, n.reason from escalation_notifications n where n.user_id = ${id}::uuid
        order by n.created_at desc`,
    },
    erases: [it => sql`update escalation_notifications set user_name = null where user_id = ${it.id}::uuid`],
  },
  {
    table: 'escalation_targets',
    ids: { user_id: 'deleted' },
    exports: {
      escalation_targets: id => sql`select g.tenant_id, p.name as policy_name
        from escalation_targets g join escalation_steps s on s.id = g.step_id
        join escalation_policies p on p.id = s.policy_id where g.user_id = ${id}::uuid order by g.tenant_id, p.name`,
    },
  },
  written('escalation_policies', ['name']),
  written('on_call_schedules', ['name'], { ids: { on_duty_user_id: 'kept' } }),
  written('on_call_rotations', ['name']),
  {
    table: 'on_call_rotation_users',
    ids: { user_id: 'deleted' },
    exports: {
      on_call_rotations: id => sql`select u.tenant_id, r.id, r.name, u.position from on_call_rotation_users u
        join on_call_rotations r on r.id = u.rotation_id where u.user_id = ${id}::uuid order by u.tenant_id, r.name`,
    },
  },
  {
    table: 'on_call_rotation_versions',
    ids: { users: 'kept' },
    exports: {
      on_call_duties:
        id => sql`select v.tenant_id, v.rotation_id, ${stamp('v.from_at')} as from_at, v.handoff, v.timezone
        from on_call_rotation_versions v where ${id}::uuid = any(v.users) order by v.rotation_id, v.number desc`,
    },
  },
  written('on_call_overrides', ['reason'], {
    ids: { user_id: 'kept', replaces_user_id: 'kept', created_by: 'kept' },
    exports: {
      on_call_overrides: id => sql`select id, tenant_id, schedule_id, ${stamp('starts_at')} as starts_at,
        ${stamp('ends_at')} as ends_at, user_id = ${id}::uuid as is_on_duty,
          replaces_user_id = ${id}::uuid as is_replaced, reason
        from on_call_overrides where ${id}::uuid in (user_id, replaces_user_id, created_by)
        order by on_call_overrides.starts_at desc`,
    },
  }),
  {
    table: 'on_call_calendars',
    ids: { user_id: 'deleted' },
    exports: {
      on_call_calendars: id =>
        sql`select tenant_id from on_call_calendars where user_id = ${id}::uuid order by tenant_id`,
    },
  },
  {
    table: 'monthly_report_mails',
    ids: { user_id: 'deleted' },
    exports: {
      monthly_reports_mailed: id => sql`select tenant_id, month from monthly_report_mails where user_id = ${id}::uuid
        order by month desc, tenant_id`,
    },
  },
  {
    table: 'mail_sink_messages',
    texts: ['recipients', 'subject', 'body', 'html'],
    exports: 'The mails themselves were sent to the person, or wait for the operator for some days.',
    erases: [
      it => sql`delete from mail_sink_messages
       where exists (select 1 from unnest(recipients) r where lower(r) = lower(${it.email}::text))
       and ${inReach(it)}`,
    ],
  },
]
