import type { PoolClient } from 'pg'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'

const others = `
  select coalesce(jsonb_agg(r.address order by r.place), '[]')
  from jsonb_array_elements(c.config -> 'recipients') with ordinality as r(address, place)
  where lower(r.address #>> '{}') <> lower($2)`

// a channel without recipients cannot send: it is disabled, and stays what rules and policies name
const leave = `
  with left_channels as (
    update notification_channels c set config = jsonb_set(c.config, '{recipients}', (${others})),
      is_enabled = c.is_enabled and (${others}) <> '[]', updated_at = clock_timestamp()
    where c.type = 'email' and c.owner_user_id is distinct from $1::uuid
      and ($3::uuid[] is null or c.tenant_id = any($3::uuid[]))
      and exists (select 1 from jsonb_array_elements_text(c.config -> 'recipients') r where lower(r) = lower($2))
    returning c.tenant_id, c.name, c.owner_user_id, c.config
  ), mailed as (
    ${insertMailsSql<'channel_recipients_lost'>({
      tenant: 't.id',
      type: 'channel_recipients_lost',
      data: { team_name: 't.name', channel_name: 'l.name' },
      from: `from left_channels l join tenants t on t.id = l.tenant_id and t.deleted_at is null
        join memberships m on m.tenant_id = t.id and m.disabled_at is null and m.user_id <> $1::uuid
          and case when l.owner_user_id is null then m.role in ('owner', 'admin') else m.user_id = l.owner_user_id end
        join users u on u.id = m.user_id and not u.is_service
        where l.config -> 'recipients' = '[]' order by u.id`,
    })}
  )
  select count(*)::int as n from left_channels`

/**
 * Takes the address of an erased person out of all e-mail channels but the person's own. Where it was the last one,
 * the channel is disabled, and the administrators of the team are mailed.
 */
export const leaveChannels = (
  client: PoolClient,
  { userId, email, reach }: { userId: string; email: string; reach: readonly string[] | null },
): Promise<unknown> => client.query(leave, [userId, email, reach])
