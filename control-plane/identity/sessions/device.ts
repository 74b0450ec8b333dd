import Bowser from 'bowser'
import { sql } from 'kysely'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { type Db, rows } from '#control-plane/db/queries.ts'
import { noticeOf, type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { fingerprintOf, networkOf } from './guesses.ts'

const mostKnown = 50
const longest = 512

/** A name for a device: family and system of a browser, which survive updates; else the name it sent. */
export function deviceOf(userAgent: string, deviceName: string): string {
  if (!/^Mozilla\//.test(userAgent)) return deviceName
  const { browser, os } = Bowser.parse(userAgent.slice(0, longest))
  return browser.name && os.name ? `${browser.name}, ${os.name}` : deviceName
}

const remember = (personId: string, fingerprint: Buffer) => sql<{ is_new: boolean; now: string }>`
  with others as (select 1 from known_devices where user_id = ${personId} limit 1), seen as (
    insert into known_devices (user_id, fingerprint) values (${personId}, ${fingerprint})
    on conflict (user_id, fingerprint) do update set last_seen_at = clock_timestamp()
    returning xmax = 0 as is_new
  )
  select is_new and exists (select 1 from others) as is_new, clock_timestamp() as now from seen`

interface SignIn {
  person: Person
  tenantId: string
  device: string
  ip: string
}

/** Stores a hash of the device, and mails the person about a sign-in from a new one, except the very first. */
export async function noteDevice(db: Db, keys: Keyring, { person, tenantId, device, ip }: SignIn): Promise<void> {
  await noteNetwork(db, person.id, ip)
  const fingerprint = fingerprintOf(person.id, device)
  const [row] = await rows(db, remember(person.id, fingerprint))
  if (!row?.is_new) return
  await rows(db)`delete from known_devices where user_id = ${person.id} and fingerprint in
    (select fingerprint from known_devices where user_id = ${person.id}
    order by last_seen_at desc offset ${sql.lit(mostKnown)})`
  await addMail(db, keys, {
    tenantId,
    type: 'security_login_new_device',
    recipient: recipientOf(person),
    data: { ...noticeOf(person, new Date(row.now), ip), device },
  })
}

const rememberNetwork = (userId: string, fingerprint: Buffer) => sql`
  with seen as (
    insert into known_networks (user_id, fingerprint) values (${userId}, ${fingerprint})
    on conflict (user_id, fingerprint) do update set last_seen_at = clock_timestamp()
  )
  delete from known_networks where user_id = ${userId} and fingerprint in
    (select fingerprint from known_networks where user_id = ${userId}
    order by last_seen_at desc offset ${sql.lit(mostKnown)})`

/** Stores the network of a sign-in: guesses of strangers from other networks do not block it. */
const noteNetwork = (db: Db, userId: string, ip: string) =>
  rows(db, rememberNetwork(userId, fingerprintOf(userId, networkOf(ip))))
